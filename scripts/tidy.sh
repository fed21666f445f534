#!/usr/bin/env bash
# clang-tidy, warnings as errors, over core, app and the headers of ui (.clang-tidy says which checks), several at a time, with
# the seconds of each. Builds nothing.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh
. scripts/lib/libtorch.sh

require_system build lint
require_libtorch
build=build-tidy
units=$build/units
cmake --preset ci -B "$build" >/dev/null
names=$(python3 scripts/lib/tidy_units.py "$build" "$units")
tidy=$(command -v clang-tidy-14 || command -v clang-tidy)
heading "$("$tidy" --version | grep -i version | xargs)"

# tidy_unit NAME: what it finds, once it is through, and how long that took.
tidy_unit()
{
    local name=$1 started=$SECONDS config=.clang-tidy status=passed found
    case $name in
        *-ui | app-window) config=ui/.clang-tidy ;;
    esac
    found=$("$tidy" --quiet --config-file="$PWD/$config" -p "$units" "$PWD/$units/$name.cpp" 2> >(grep -v "warnings generated" >&2)) ||
        status=FAILED
    printf '%s%-28s %4d s  %s\n' "${found:+$found$'\n'}" "$name" $((SECONDS - started)) "$status"
    [ "$status" = passed ]
}
export -f tidy_unit
export tidy units
xargs -n 1 -P "$(build_jobs)" bash -c 'set -o pipefail; tidy_unit "$1"' tidy <<<"$names"
