# Tests of the programs: pieces of the headless one, and both from outside, with models that the tests make.
file(GLOB tests CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/tst_*.cpp")
set(window_tests ${tests})
list(FILTER tests EXCLUDE REGEX "/tst_window_[a-z]+[.]cpp$")
list(FILTER window_tests INCLUDE REGEX "/tst_window_[a-z]+[.]cpp$")

pipescope_add_tests(app pipescope_torch_test_main torch SOURCES ${tests} DEPENDS pipescope_cli pipescope_torch_support)
target_compile_definitions(tests-app PRIVATE PIPESCOPE_CLI="$<TARGET_FILE:pipescope-cli>"
  PIPESCOPE_OPERATOR_LIBRARY="$<TARGET_FILE:pipescope_test_operators>")
add_dependencies(tests-app pipescope-cli pipescope_test_operators)

if(PIPESCOPE_WINDOW)
  pipescope_add_tests(window pipescope_window_test_main torch SOURCES ${window_tests}
    DEPENDS pipescope_ui_mainwindow pipescope_torch_support)

  # The program with a hand at it: a plugin of its own, in a folder as Qt looks for them.
  add_library(pipescope_test_hand MODULE "${PROJECT_SOURCE_DIR}/tests/support/hand/hand.cpp")
  pipescope_use_moc(pipescope_test_hand)
  set_target_properties(pipescope_test_hand PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/hand/generic")
  target_compile_definitions(pipescope_test_hand PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(pipescope_test_hand PRIVATE Qt6::Widgets pipescope_warnings)
  add_library(pipescope_test_slow_disk MODULE "${PROJECT_SOURCE_DIR}/tests/support/hand/slow_disk.cpp")
  target_link_libraries(pipescope_test_slow_disk PRIVATE pipescope_warnings)

  target_compile_definitions(tests-window PRIVATE PIPESCOPE_CLI="$<TARGET_FILE:pipescope-cli>"
    PIPESCOPE_MAKE_EXAMPLES="$<TARGET_FILE:make-examples>" PIPESCOPE_WINDOW_PROGRAM="$<TARGET_FILE:pipescope>"
    PIPESCOPE_HAND_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/hand" PIPESCOPE_SLOW_DISK="$<TARGET_FILE:pipescope_test_slow_disk>")
  add_dependencies(tests-window pipescope-cli make-examples pipescope pipescope_test_hand pipescope_test_slow_disk)

  # The window's story once more where windows are real.
  find_program(PIPESCOPE_XVFB_RUN xvfb-run DOC "Runs a program under an X server without a screen")
  if(NOT PIPESCOPE_XVFB_RUN)
    set(PIPESCOPE_XVFB_RUN sh -c "echo no xvfb-run: scripts/bootstrap.sh test installs it")
  else()
    list(APPEND PIPESCOPE_XVFB_RUN --auto-servernum "--server-args=-screen 0 1920x1200x24")
  endif()
  add_test(NAME tst_window_story_x11 COMMAND ${PIPESCOPE_XVFB_RUN} $<TARGET_FILE:tests-window> tst_window_story)
  set_tests_properties(tst_window_story_x11 PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=xcb" LABELS torch
    SKIP_REGULAR_EXPRESSION "Totals: [0-9]+ passed, 0 failed, [1-9];no xvfb-run")
endif()
