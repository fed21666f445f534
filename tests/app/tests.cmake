# Tests of the headless program: its pieces and, by tst_cli*, which make their models themselves, the program from
# outside.
file(GLOB tests CONFIGURE_DEPENDS "app/tst_*.cpp")
foreach(test IN LISTS tests)
  get_filename_component(name "${test}" NAME_WE)
  if(name MATCHES "^tst_window")
    if(PIPESCOPE_WINDOW)
      pipescope_add_test("${test}" TORCH LABELS torch DEPENDS pipescope_ui_mainwindow pipescope_torch_support)
      target_compile_definitions(${name} PRIVATE
        PIPESCOPE_CLI="$<TARGET_FILE:pipescope-cli>" PIPESCOPE_MAKE_EXAMPLES="$<TARGET_FILE:make-examples>"
        PIPESCOPE_WINDOW_PROGRAM="$<TARGET_FILE:pipescope>")
      add_dependencies(${name} pipescope-cli make-examples pipescope)
    endif()
  elseif(name MATCHES "^tst_cli")
    pipescope_add_test("${test}" TORCH LABELS torch DEPENDS pipescope_cli pipescope_torch_support)
    target_compile_definitions(${name} PRIVATE PIPESCOPE_CLI="$<TARGET_FILE:pipescope-cli>")
    add_dependencies(${name} pipescope-cli)
    pipescope_give_operator_library(${name})
  else()
    pipescope_add_test("${test}" LABELS torch DEPENDS pipescope_cli)
  endif()
endforeach()

# The program with a hand at it: a plugin of its own, in a folder as Qt looks for them.
if(PIPESCOPE_WINDOW)
  add_library(pipescope_test_hand MODULE "${PROJECT_SOURCE_DIR}/tests/support/hand/hand.cpp")
  pipescope_use_moc(pipescope_test_hand)
  set_target_properties(pipescope_test_hand PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/hand/generic")
  target_compile_definitions(pipescope_test_hand PRIVATE QT_NO_KEYWORDS)
  target_link_libraries(pipescope_test_hand PRIVATE Qt6::Widgets pipescope_warnings)
  add_library(pipescope_test_slow_disk MODULE "${PROJECT_SOURCE_DIR}/tests/support/hand/slow_disk.cpp")
  target_link_libraries(pipescope_test_slow_disk PRIVATE pipescope_warnings)
  foreach(test IN ITEMS tst_window_signals tst_window_program)
    target_compile_definitions(${test} PRIVATE PIPESCOPE_HAND_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/hand")
    add_dependencies(${test} pipescope_test_hand)
  endforeach()
  target_compile_definitions(tst_window_signals PRIVATE PIPESCOPE_SLOW_DISK="$<TARGET_FILE:pipescope_test_slow_disk>")
  add_dependencies(tst_window_signals pipescope_test_slow_disk)
endif()

# The window's story once more where windows are real.
find_program(PIPESCOPE_XVFB_RUN xvfb-run DOC "Runs a program under an X server without a screen")
if(PIPESCOPE_WINDOW AND PIPESCOPE_XVFB_RUN)
  add_test(NAME tst_window_story_x11
    COMMAND ${PIPESCOPE_XVFB_RUN} --auto-servernum "--server-args=-screen 0 1920x1200x24" $<TARGET_FILE:tst_window_story>)
  set_tests_properties(tst_window_story_x11 PROPERTIES TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=xcb" LABELS torch)
elseif(PIPESCOPE_WINDOW)
  message(STATUS "No xvfb-run: the window's story runs offscreen only")
endif()
