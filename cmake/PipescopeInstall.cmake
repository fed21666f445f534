# What `cmake --install` puts where. The engine finds LibTorch in lib/pipescope beside bin/: its libraries are copied there
# with their licences (PIPESCOPE_BUNDLE_LIBTORCH), or are used where they are.
include(GNUInstallDirs)

option(PIPESCOPE_BUNDLE_LIBTORCH "Install LibTorch's libraries beside the engine (about 430 MB)" ON)
set(PIPESCOPE_DOCUMENTS_DIR share/doc/pipescope)
set(PIPESCOPE_APP_ID org.pipescope.Pipescope)
# Not in lib64 or Debian's lib/<architecture>, which are for libraries that others may use. The window looks here too
# (ui/session/example_model.cpp), and the engine (core/import/operator_library.cpp).
set(PIPESCOPE_PRIVATE_DIR lib/pipescope)

# Copies what LibTorch's CPU half needs of its wheels, and the licences that came with them.
function(pipescope_install_libtorch)
  get_filename_component(wheels "${LibTorch_ROOT}" DIRECTORY)
  install(CODE "set(wheels \"${wheels}\")\nset(root \"${LibTorch_ROOT}\")\nset(target \"${PIPESCOPE_PRIVATE_DIR}\")")
  install(CODE [[
    file(GET_RUNTIME_DEPENDENCIES LIBRARIES "${root}/lib/libtorch_cpu.so"
      RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing CONFLICTING_DEPENDENCIES_PREFIX twice)
    if(missing)
      list(JOIN missing ", " missing)
      message(FATAL_ERROR "LibTorch in ${root} needs ${missing}, not found")
    endif()
    set(libraries "${root}/lib/libtorch_cpu.so")
    foreach(library IN LISTS needed)
      string(FIND "${library}" "${wheels}/" at)
      if(at EQUAL 0)
        list(APPEND libraries "${library}")
      endif()
    endforeach()
    file(INSTALL ${libraries} DESTINATION "${CMAKE_INSTALL_PREFIX}/${target}"
      TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)]])
  install(CODE "set(target \"${PIPESCOPE_DOCUMENTS_DIR}/licenses\")")
  install(CODE [[
    file(GLOB licences "${wheels}/torch-*.dist-info/licenses" "${wheels}/nvidia_cuda_*.dist-info/licenses"
      "${root}/LICENSE" "${root}/NOTICE")
    foreach(licence IN LISTS licences)
      string(REGEX REPLACE "^.*/([^/]+)[.]dist-info/licenses$" "\\1" name "${licence}")
      if(name STREQUAL licence)
        file(INSTALL "${licence}" DESTINATION "${CMAKE_INSTALL_PREFIX}/${target}/libtorch")
      else()
        file(INSTALL "${licence}/" DESTINATION "${CMAKE_INSTALL_PREFIX}/${target}/${name}")
      endif()
    endforeach()]])
endfunction()

if(PIPESCOPE_RUNTIME)
  file(RELATIVE_PATH private_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${PIPESCOPE_PRIVATE_DIR}")
  set(elsewhere "")
  if(PIPESCOPE_BUNDLE_LIBTORCH)
    pipescope_install_libtorch()
  else()
    set(elsewhere "${LibTorch_ROOT}/lib")
  endif()
  set_target_properties(pipescope-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${private_from_bin};${elsewhere}")
  set_target_properties(make-examples PROPERTIES INSTALL_RPATH "$ORIGIN;${elsewhere}")
  install(TARGETS pipescope-cli RUNTIME)
  # Beside LibTorch's own, and not among them: they bear the names of some of those.
  install(TARGETS pipescope_without_torch pipescope_without_torch_cuda pipescope_without_c10_cuda
    LIBRARY DESTINATION "${PIPESCOPE_PRIVATE_DIR}/without_cuda")
  # What "Open the example" runs; its name is too common for everybody's bin.
  install(TARGETS make-examples RUNTIME DESTINATION "${PIPESCOPE_PRIVATE_DIR}")
  install(DIRECTORY examples/plans/ DESTINATION "${CMAKE_INSTALL_DATADIR}/pipescope/examples" FILES_MATCHING PATTERN "*.json")
endif()

if(PIPESCOPE_WINDOW)
  install(TARGETS pipescope RUNTIME)
  set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
  install(FILES "${desktop}/${PIPESCOPE_APP_ID}.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "${desktop}/${PIPESCOPE_APP_ID}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "${desktop}/${PIPESCOPE_APP_ID}.mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
    RENAME ${PIPESCOPE_APP_ID}.xml)
  install(FILES "${desktop}/${PIPESCOPE_APP_ID}.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  foreach(size IN ITEMS 48 128 256)
    install(FILES "${desktop}/${PIPESCOPE_APP_ID}-${size}.png"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps" RENAME ${PIPESCOPE_APP_ID}.png)
  endforeach()
endif()

# The window opens guide/README.md of these (ui/mainwindow/user_guide.cpp).
install(FILES CHANGELOG.md LICENSE resources/copyright DESTINATION "${PIPESCOPE_DOCUMENTS_DIR}")
install(DIRECTORY docs/ DESTINATION "${PIPESCOPE_DOCUMENTS_DIR}" FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
