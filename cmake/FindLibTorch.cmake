# LibTorch from a `torch` wheel or archive: finds it, checks that its headers are complete and makes one imported target,
# pipescope::torch (c10 and torch_cpu only). torch's own TorchConfig.cmake is not used: for a CUDA build it demands nvcc
# and a CUDA toolkit, which nothing here needs.
#
# Looked at, in this order: PIPESCOPE_LIBTORCH (variable or environment; the folder that holds include/ and lib/, or one
# that holds torch/), Torch_DIR, CMAKE_PREFIX_PATH, the active Python, PIPESCOPE_DEPS or .deps of the project.
#
# Sets LibTorch_FOUND, LibTorch_ROOT, LibTorch_VERSION.

set(_candidates "")
macro(_pipescope_candidate path from)
  if(NOT "${path}" STREQUAL "")
    list(APPEND _candidates "${path}|${from}" "${path}/torch|${from}")
  endif()
endmacro()

_pipescope_candidate("${PIPESCOPE_LIBTORCH}" "PIPESCOPE_LIBTORCH")
_pipescope_candidate("$ENV{PIPESCOPE_LIBTORCH}" "the environment's PIPESCOPE_LIBTORCH")
foreach(_dir "${Torch_DIR}" "$ENV{Torch_DIR}")
  if(NOT _dir STREQUAL "")
    get_filename_component(_root "${_dir}/../../.." ABSOLUTE)   # <root>/share/cmake/Torch
    _pipescope_candidate("${_root}" "Torch_DIR")
  endif()
endforeach()
string(REPLACE ":" ";" _env_prefixes "$ENV{CMAKE_PREFIX_PATH}")
foreach(_prefix IN LISTS CMAKE_PREFIX_PATH _env_prefixes)
  _pipescope_candidate("${_prefix}" "CMAKE_PREFIX_PATH")
endforeach()
find_program(PIPESCOPE_PYTHON NAMES python3 python)
if(PIPESCOPE_PYTHON)
  # find_spec does not import torch: importing takes seconds, and fails where the wheel's CUDA libraries are absent.
  execute_process(COMMAND "${PIPESCOPE_PYTHON}" -c
    "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s and s.submodule_search_locations else '')"
    OUTPUT_VARIABLE _python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  _pipescope_candidate("${_python_torch}" "the active Python")
endif()
if(DEFINED ENV{PIPESCOPE_DEPS})
  _pipescope_candidate("$ENV{PIPESCOPE_DEPS}/libtorch" "PIPESCOPE_DEPS")
endif()
_pipescope_candidate("${PROJECT_SOURCE_DIR}/.deps/libtorch" "the project's .deps")

set(_required_headers ATen/ATen.h c10/core/Device.h torch/csrc/jit/api/module.h torch/csrc/jit/ir/ir.h caffe2/serialize/inline_container.h)
set(_rejected "")
unset(LibTorch_ROOT)
foreach(_candidate IN LISTS _candidates)
  string(REGEX REPLACE "\\|.*$" "" _root "${_candidate}")
  string(REGEX REPLACE "^.*\\|" "" _from "${_candidate}")
  if(NOT EXISTS "${_root}/lib/libtorch_cpu.so")
    continue()
  endif()
  set(_missing "")
  foreach(_header IN LISTS _required_headers)
    if(NOT EXISTS "${_root}/include/${_header}")
      list(APPEND _missing "${_header}")
    endif()
  endforeach()
  if(_missing)
    list(JOIN _missing ", " _missing_text)
    list(APPEND _rejected "  ${_root} (${_from}): headers missing: ${_missing_text}; install the 'torch' wheel from PyPI, whose headers are complete")
    continue()
  endif()
  set(_version "")
  if(EXISTS "${_root}/include/torch/headeronly/version.h")
    file(STRINGS "${_root}/include/torch/headeronly/version.h" _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  elseif(EXISTS "${_root}/include/torch/csrc/api/include/torch/version.h")
    file(STRINGS "${_root}/include/torch/csrc/api/include/torch/version.h" _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  endif()
  string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
  list(JOIN _numbers "." _version)
  if(_version VERSION_LESS 2.11 OR _version VERSION_GREATER_EQUAL 2.16)
    list(APPEND _rejected "  ${_root} (${_from}): version '${_version}'; 2.11 to 2.15 are supported")
    continue()
  endif()
  set(LibTorch_ROOT "${_root}")
  set(LibTorch_VERSION "${_version}")
  set(_found_from "${_from}")
  break()
endforeach()

if(LibTorch_ROOT)
  if(NOT LibTorch_FIND_QUIETLY)
    message(STATUS "LibTorch ${LibTorch_VERSION} from ${_found_from}: ${LibTorch_ROOT}")
  endif()
  add_library(pipescope_libtorch INTERFACE)
  target_include_directories(pipescope_libtorch SYSTEM INTERFACE
    "${LibTorch_ROOT}/include" "${LibTorch_ROOT}/include/torch/csrc/api/include")
  # The wheel's CUDA build of libtorch_cpu names libcudart and libcupti; both lie beside it and are found by its own run path.
  target_link_options(pipescope_libtorch INTERFACE "LINKER:--allow-shlib-undefined" "LINKER:-rpath,${LibTorch_ROOT}/lib")
  target_link_libraries(pipescope_libtorch INTERFACE "${LibTorch_ROOT}/lib/libtorch_cpu.so" "${LibTorch_ROOT}/lib/libc10.so")
  add_library(pipescope::torch ALIAS pipescope_libtorch)
else()
  list(JOIN _rejected "\n" _rejected_text)
  if(_rejected_text)
    set(_rejected_text "\nFound, but not usable:\n${_rejected_text}")
  endif()
  set(LibTorch_NOT_FOUND_MESSAGE "no usable LibTorch.${_rejected_text}
Do one of these:
  make deps                                  fetches the small CPU set of wheels into .deps/
  cmake -DPIPESCOPE_LIBTORCH=/path/to/torch  uses the one you have
  cmake -DPIPESCOPE_RUNTIME=OFF              builds only what needs no LibTorch")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_ROOT VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "${LibTorch_NOT_FOUND_MESSAGE}")
