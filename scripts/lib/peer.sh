# The Python that tests/peer and the benchmarks compare with. Sourced after python.sh.

PEER_REQUIREMENTS=requirements/peer.txt
PEER_MODULES=torch,numpy,torchvision,transformers,timm,pytest,xdist

# Sets PEER_PYTHON to the active Python if it has all that is needed, else to the one that `make peer` fetched, else to "".
find_peer_python()
{
    PEER_PYTHON=
    if python_has python3 "$PEER_MODULES"; then
        PEER_PYTHON=$(command -v python3)
    elif installed_from "$PEER_REQUIREMENTS" "$DEPS/peer" && python_has "$DEPS/peer/bin/python" "$PEER_MODULES"; then
        PEER_PYTHON=$DEPS/peer/bin/python
    fi
}

require_peer_python()
{
    find_peer_python
    [ -z "$PEER_PYTHON" ] || return 0
    lock_deps
    heading "Fetching Python's PyTorch into $DEPS/peer: 75 seconds on a fast line, 5.4 GB on disk"
    note "to use one of your own instead, activate a Python that has ${PEER_MODULES//,/, }"
    install_whole "$PEER_REQUIREMENTS" "$DEPS/peer" fill_environment
    unlock_deps
    find_peer_python
    [ -n "$PEER_PYTHON" ] || stop "the Python just fetched into $DEPS/peer lacks one of ${PEER_MODULES//,/, }"
}

run_peer_tests()
{
    heading "Testing against Python's PyTorch ($PEER_PYTHON)"
    PIPESCOPE_CLI=$PROJECT/build/bin/pipescope-cli PIPESCOPE_PEER_TOOLS=$PROJECT/build/bin \
        "$PEER_PYTHON" -m pytest -p no:cacheprovider --numprocesses 2 --dist loadgroup tests/peer "$@"
}
