# How tests are declared: the tst_*.cpp of a folder are one program, and each of them is a test of ctest's: `tests-schedule
# tst_gpipe` runs one. Included by tests/CMakeLists.txt.

# Test code is run once: compiling it well costs more than it saves.
set(PIPESCOPE_TEST_OPTIONS -O0)

# All programs whose tests have a label: tests-fast, tests-torch.
add_custom_target(tests-fast)
add_custom_target(tests-torch)

# pipescope_add_test_main(NAME [HEADERS ...] LIBRARIES ...): the main() of one kind of test program, with the precompiled
# header of that kind.
function(pipescope_add_test_main name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS;DEFINITIONS" ${ARGN})
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/tests/support/test_program.cpp")
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name} PUBLIC QT_NO_KEYWORDS ${arg_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${PIPESCOPE_TEST_OPTIONS})
  target_link_libraries(${name} PUBLIC Qt6::Test ${arg_LIBRARIES} PRIVATE pipescope_warnings)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# pipescope_add_tests(NAME MAIN LABEL SOURCES ... DEPENDS ...): the program tests-NAME and its tests.
function(pipescope_add_tests name main label)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  if(NOT arg_SOURCES)
    return()
  endif()
  set(program tests-${name})
  add_executable(${program} ${arg_SOURCES})
  target_compile_definitions(${program} PRIVATE PIPESCOPE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    PIPESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${program} PRIVATE ${PIPESCOPE_TEST_OPTIONS})
  target_link_libraries(${program} PRIVATE ${main} ${arg_DEPENDS} pipescope_warnings)
  target_precompile_headers(${program} REUSE_FROM ${main})
  pipescope_use_unity(${program} 6)
  add_dependencies(tests-${label} ${program})
  set(moc_folder "${CMAKE_CURRENT_BINARY_DIR}/moc/${name}")
  file(MAKE_DIRECTORY "${moc_folder}")
  target_include_directories(${program} PRIVATE "${moc_folder}")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(test "${source}" NAME_WE)
    # No header is read for it: moc knows Q_OBJECT, and a test's class stands in its own file.
    add_custom_command(OUTPUT "${moc_folder}/${test}.moc" DEPENDS "${source}" VERBATIM
      COMMAND Qt6::moc -o "${moc_folder}/${test}.moc" "${source}")
    target_sources(${program} PRIVATE "${moc_folder}/${test}.moc")
    add_test(NAME ${test} COMMAND ${program} ${test})
    # Skipped is what skips and fails nowhere: ctest believes the expression more than the exit code.
    set_tests_properties(${test} PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=offscreen" LABELS "${label}"
      SKIP_REGULAR_EXPRESSION "Totals: [0-9]+ passed, 0 failed, [1-9]")
  endforeach()
endfunction()
