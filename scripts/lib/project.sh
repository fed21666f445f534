# Where things are. Sourced by every script; moves to the project's folder.

set -euo pipefail
PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$PROJECT"
. scripts/lib/say.sh

# Where fetched packages go; a relative PIPESCOPE_DEPS is meant from the project's folder, as in cmake/LocateLibTorch.cmake.
DEPS=$(realpath -ms "${PIPESCOPE_DEPS:-.deps}")

# One compile with LibTorch's headers takes about 1 GB, so a machine with many cores and little memory runs fewer.
build_jobs()
{
    local cores memory
    cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo 2>/dev/null || true)
    if [ -n "$memory" ] && [ "$memory" -lt "$cores" ]; then
        cores=$((memory > 0 ? memory : 1))
    fi
    echo "$cores"
}
