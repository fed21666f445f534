# How a library, a program and a test are declared. Every target gets the same warnings; targets that see LibTorch
# share one precompiled header (core/tensor/torch_pch.h), and tests share one of Qt's, which is where most of their compile
# time would go.

add_library(pipescope_warnings INTERFACE)
target_compile_options(pipescope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
option(PIPESCOPE_WERROR "Treat warnings as errors" OFF)
if(PIPESCOPE_WERROR)
  target_compile_options(pipescope_warnings INTERFACE -Werror)
endif()

# pipescope_add_library(NAME [TORCH] [DEPENDS ...]): one folder of core/, all its .cpp files.
function(pipescope_add_library name)
  cmake_parse_arguments(arg "TORCH" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h")
  set(target pipescope_${name})
  list(TRANSFORM arg_DEPENDS REPLACE "^([a-z]+)$" "pipescope_\\1" OUTPUT_VARIABLE depends)
  if(NOT sources MATCHES "[.]cpp")
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/core")
    target_link_libraries(${target} INTERFACE ${depends})
    return()
  endif()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/core")
  target_link_libraries(${target} PUBLIC ${depends} PRIVATE pipescope_warnings)
  if(arg_TORCH)
    pipescope_use_torch(${target} PUBLIC)
  endif()
endfunction()

# pipescope_add_ui_library(NAME DEPENDS ...): one folder of ui/, all its .cpp files.
function(pipescope_add_ui_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.h")
  set(target pipescope_ui_${name})
  add_library(${target} STATIC ${sources})
  pipescope_use_moc(${target})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/ui")
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE pipescope_warnings)
endfunction()

# The compiler's own macros make moc 6.4 trip over <concepts>, none at all over <chrono>; it cannot read 201703L.
function(pipescope_use_moc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_COMPILER_PREDEFINES OFF
    AUTOMOC_MOC_OPTIONS -D__cplusplus=201703)
endfunction()

# Links LibTorch and reuses the shared precompiled header.
function(pipescope_use_torch target scope)
  target_link_libraries(${target} ${scope} pipescope::torch)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  if(NOT target STREQUAL "pipescope_torch_pch")
    target_precompile_headers(${target} REUSE_FROM pipescope_torch_pch)
  endif()
endfunction()

# pipescope_add_test_pch(NAME LIBRARIES ... HEADERS ...): the precompiled header of one kind of test.
function(pipescope_add_test_pch name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS" ${ARGN})
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/tests/support/precompiled.cpp")
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} pipescope_warnings)
endfunction()

# pipescope_add_test(SOURCE [TORCH] [LABELS ...] DEPENDS ...): one Qt Test program, named after its file. TORCH: it sees
# LibTorch.
function(pipescope_add_test source)
  cmake_parse_arguments(arg "TORCH" "" "DEPENDS;LABELS" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} "${source}")
  pipescope_use_moc(${name})
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS PIPESCOPE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    PIPESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} Qt6::Core Qt6::Test pipescope_warnings)
  # A header of Qt's is for one set of Qt's libraries: tests of both LibTorch and the window have LibTorch's alone.
  if(arg_TORCH AND arg_DEPENDS MATCHES "pipescope_ui_")
    pipescope_use_torch(${name} PRIVATE)
  elseif(arg_TORCH)
    target_link_libraries(${name} PRIVATE pipescope::torch)
    target_precompile_headers(${name} REUSE_FROM pipescope_torch_test_pch)
  elseif(arg_DEPENDS MATCHES "pipescope_ui_")
    target_link_libraries(${name} PRIVATE Qt6::Widgets) # as the header was made, also where the folder has no widget
    target_precompile_headers(${name} REUSE_FROM pipescope_window_test_pch)
  else()
    target_precompile_headers(${name} REUSE_FROM pipescope_test_pch)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=offscreen" LABELS "${arg_LABELS}")
endfunction()
