#!/usr/bin/env bash
# clang-tidy, warnings as errors, over the part of core that needs no LibTorch. Uses the asan preset's build for the flags.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh

require_system build lint
folders=(core/base core/archive core/outline core/graph core/partition core/microbatch core/schedule core/trace core/comm core/plan core/report core/protocol)
cmake --preset asan >/dev/null
tidy=$(command -v clang-tidy-14 || command -v clang-tidy)
heading "$("$tidy" --version | grep -i version | xargs) over ${folders[*]}"
find "${folders[@]}" -name '*.cpp' -print0 | xargs -0 -n 1 -P "$(nproc)" "$tidy" --quiet -p build-asan 2> >(grep -v "warnings generated" >&2)
