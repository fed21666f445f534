# LibTorch from a `torch` wheel or archive: finds it (LocateLibTorch.cmake says where it looks), checks that it can be used and
# makes one target, pipescope::torch (c10 and torch_cpu only). torch's own TorchConfig.cmake is not used: for a CUDA build it
# demands nvcc and a CUDA toolkit, which nothing here needs.
#
# Sets LibTorch_FOUND, LibTorch_ROOT, LibTorch_VERSION.

set(PIPESCOPE_LIBTORCH "" CACHE PATH "LibTorch to use: the folder that holds its include and lib, or one that holds torch")
include("${CMAKE_CURRENT_LIST_DIR}/LocateLibTorch.cmake")
pipescope_locate_libtorch()

set(_rejected_text "")
foreach(_line IN LISTS LibTorch_REJECTED)
  string(REGEX REPLACE "^([^|]*)[|]([^|]*)[|](.*)$" "\\2 (from \\1): \\3" _line "${_line}")
  string(APPEND _rejected_text "\n  ${_line}")
endforeach()

if(LibTorch_ROOT)
  if(NOT LibTorch_FIND_QUIETLY)
    if(_rejected_text)
      message(STATUS "LibTorch found, but not usable:${_rejected_text}")
    endif()
    message(STATUS "LibTorch ${LibTorch_VERSION} from ${LibTorch_FROM}: ${LibTorch_ROOT}")
  endif()
  if(NOT TARGET pipescope::torch)
    add_library(pipescope_libtorch INTERFACE)
    # The wheel brings headers of an fmt of its own and no library for them: core/tensor/fmt_library.cpp is that library
    # where it knows the version, so that the formatting code is compiled once and not in each file.
    file(STRINGS "${LibTorch_ROOT}/include/fmt/base.h" _fmt_version REGEX "define FMT_VERSION 12[0-9][0-9][0-9][0-9]$")
    if(_fmt_version)
      target_compile_definitions(pipescope_libtorch INTERFACE PIPESCOPE_FMT_LIBRARY)
    else()
      target_compile_definitions(pipescope_libtorch INTERFACE FMT_HEADER_ONLY)
    endif()
    target_include_directories(pipescope_libtorch SYSTEM INTERFACE
      "${LibTorch_ROOT}/include" "${LibTorch_ROOT}/include/torch/csrc/api/include")
    target_link_libraries(pipescope_libtorch INTERFACE fmt::fmt) # one set of definitions for the precompiled header
    # The wheel's CUDA build of libtorch_cpu names libcudart and libcupti; both lie beside it and are found by its own run path.
    target_link_options(pipescope_libtorch INTERFACE "LINKER:--allow-shlib-undefined")
    target_link_libraries(pipescope_libtorch INTERFACE "${LibTorch_ROOT}/lib/libtorch_cpu.so" "${LibTorch_ROOT}/lib/libc10.so")
    add_library(pipescope::torch ALIAS pipescope_libtorch)
  endif()
else()
  if(_rejected_text)
    set(_rejected_text "\nFound, but not usable:${_rejected_text}")
  endif()
  set(_reason "no usable LibTorch.${_rejected_text}
Do one of these:
  make deps                                  fetches the small CPU set of wheels into .deps/
  cmake -DPIPESCOPE_LIBTORCH=/path/to/torch  uses the one you have
  cmake -DPIPESCOPE_RUNTIME=OFF              builds only what needs no LibTorch")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_ROOT VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${_reason}")
