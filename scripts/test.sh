#!/usr/bin/env bash
# Runs the tests of a preset's build, and tests/peer where a Python with PyTorch is there. Usage: scripts/test.sh PRESET
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/peer.sh

heading "Testing"
ctest --preset "$1" --parallel "$(nproc)"
find_peer_python
if [ -n "$PEER_PYTHON" ]; then
    run_peer_tests
else
    heading "Skipped: tests/peer, which need a Python with PyTorch. 'make peer' fetches one and runs them"
fi
