#!/usr/bin/env bash
# Fetches a Python with PyTorch, unless the active one has it, and runs tests/peer on what is built.
# Usage: scripts/peer.sh [fetch | PYTEST OPTION...]   fetch: runs no tests
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/peer.sh

require_peer_python
[ "${1:-}" = fetch ] || run_peer_tests "$@"
