# How a library, a program and a folder's tests are declared. Headers are most of a compile, and with LibTorch's most of
# that is paid at the end of each file, precompiled or not, for templates that the headers leave pending. So folders are
# compiled in units of several files (PIPESCOPE_UNITY), behind precompiled headers of only the headers that are used.

add_library(pipescope_warnings INTERFACE)
target_compile_options(pipescope_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
option(PIPESCOPE_WERROR "Treat warnings as errors" OFF)
if(PIPESCOPE_WERROR)
  target_compile_options(pipescope_warnings INTERFACE -Werror)
endif()

if(PIPESCOPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The sanitizers' own code makes gcc take members for unset that are not (gcc's manual, -fsanitize=address).
  target_compile_options(pipescope_warnings INTERFACE -Wno-maybe-uninitialized)
endif()

option(PIPESCOPE_UNITY "Compile several files of a folder as one unit: a whole build takes half as long" ON)
# A unit with LibTorch's or Qt's headers takes 5 to 10 s before its first line: large units are for builds from nothing, small
# ones for work on a few files.
set(PIPESCOPE_UNITY_FACTOR 1 CACHE STRING "So many times as many files in a unit")

# Compiles the target's files in units of up to `files`, times PIPESCOPE_UNITY_FACTOR.
function(pipescope_use_unity target files)
  if(PIPESCOPE_UNITY)
    math(EXPR files "${files} * ${PIPESCOPE_UNITY_FACTOR}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Takes the files of a unit for headers.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
endfunction()

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
  pipescope_use_unity(${target} 8)
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
  pipescope_use_unity(${target} 8)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/ui")
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE pipescope_warnings)
  if(arg_DEPENDS MATCHES "Qt6::Widgets")
    pipescope_use_widgets(${target})
  else()
    target_precompile_headers(${target} PRIVATE <QCoreApplication> <QObject> <QStringList>)
  endif()
endfunction()

# Uses the precompiled header of pipescope_ui_widgets, the lowest folder that sees Qt's widgets.
function(pipescope_use_widgets target)
  if(target STREQUAL "pipescope_ui_widgets")
    target_precompile_headers(${target} PRIVATE <QApplication> <QBoxLayout> <QLabel> <QPainter> <QTableView>)
  else()
    target_precompile_headers(${target} REUSE_FROM pipescope_ui_widgets)
  endif()
endfunction()

# The compiler's own macros make moc 6.4 trip over <concepts>, none at all over <chrono>; it cannot read 201703L.
function(pipescope_use_moc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_COMPILER_PREDEFINES OFF
    AUTOMOC_MOC_OPTIONS -D__cplusplus=201703)
endfunction()

# Links LibTorch and uses the precompiled header of pipescope_tensor, the lowest folder that sees LibTorch. Its headers
# are narrow on purpose: torch/torch.h and torch/script.h cost twice as much and are never included.
function(pipescope_use_torch target scope)
  target_link_libraries(${target} ${scope} pipescope::torch)
  target_compile_definitions(${target} PRIVATE QT_NO_KEYWORDS)
  if(target STREQUAL "pipescope_tensor")
    target_precompile_headers(${target} PRIVATE <ATen/ATen.h> <torch/csrc/jit/api/module.h> <torch/csrc/jit/ir/ir.h>
      <torch/csrc/jit/runtime/interpreter.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM pipescope_tensor)
  endif()
endfunction()
