#!/usr/bin/env bash
# Installs what is missing: system packages (through apt, where apt is) and LibTorch (into .deps/ or $PIPESCOPE_DEPS). Looks
# first and does nothing when nothing is missing, so it is part of every make target.
# Usage: scripts/bootstrap.sh [GROUP...]   groups of requirements/system.txt; without any: build, and LibTorch
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh
. scripts/lib/libtorch.sh

if [ $# -gt 0 ]; then
    require_system "$@"
else
    require_system build
    require_libtorch
fi
