#!/usr/bin/env bash
# Configures with a preset of CMakePresets.json and builds. Usage: scripts/build.sh PRESET [CMAKE OPTION...] [-- TARGET...]
. "$(dirname "$0")/lib/project.sh"

preset=$1
shift
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
targets=("${@:2}")

heading "Configuring (preset $preset)"
cmake --preset "$preset" ${options[@]+"${options[@]}"}
heading "Building"
cmake --build --preset "$preset" --parallel "$(build_jobs)" ${targets[@]+--target "${targets[@]}"}
