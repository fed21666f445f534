# `cpack`, or `make package`: a Debian package of what PipescopeInstall.cmake installs. Its dependencies are those that
# dpkg-shlibdeps reads from the programs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pipescope)
set(CPACK_PACKAGE_VENDOR "Pipescope")
set(CPACK_PACKAGE_CONTACT "Pipescope <pipescope@localhost>" CACHE STRING "Maintainer of the packages you make")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "debugger and runner for split PyTorch models")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Opens a TorchScript model as a graph, lets you place split points, runs the stages in
parallel, microbatch by microbatch, shows on a timeline where the time went, and
proves that the split model is still the unsplit one.
.
The window is 'pipescope', the command line 'pipescope-cli'.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, shared-mime-info")
if(PIPESCOPE_RUNTIME)
  # Where the private libraries are while the package is made; they are none of a Debian package.
  get_filename_component(_wheels "${LibTorch_ROOT}" DIRECTORY)
  file(GLOB _private "${LibTorch_ROOT}/lib" "${_wheels}/nvidia/cu*/lib" "${_wheels}/nvidia/cuda_*/lib")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${_private}")
endif()
include(CPack)
