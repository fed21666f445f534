#!/usr/bin/env bash
# Runs the benchmarks that scripts/build.sh made; prints a table and writes build/bench.json. Rows that compare with Python's
# PyTorch need such a Python (`make peer`), rows of real models the folder $PIPESCOPE_MODELS; they are left out without.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/peer.sh

find_peer_python
if [ -z "$PEER_PYTHON" ]; then
    heading "No Python with PyTorch: the rows beside torch.distributed.pipelining are left out. 'make peer' fetches one"
fi
heading "Benchmarking the engine"
PIPESCOPE_PEER_PYTHON=$PEER_PYTHON PIPESCOPE_TORCH_PEER=tests/bench/torch_peer.py \
    build/bin/pipescope-bench --out build/bench.json
heading "Benchmarking the window"
QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} build/bin/pipescope-window-bench --out build/bench.json --add
