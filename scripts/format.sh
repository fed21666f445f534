#!/usr/bin/env bash
# Formats the C++ files, or with --check names those that are not formatted. clang-format 14 decides: others differ in places.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh

require_system lint
formatter=$(command -v clang-format-14 || command -v clang-format)
heading "$("$formatter" --version)"
action=(-i)
if [ "${1:-}" = --check ]; then
    action=(--dry-run --Werror --ferror-limit=1)
fi
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' | xargs -0 "$formatter" "${action[@]}"
