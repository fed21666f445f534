# Python packages fetched into the dependency folder. Sourced after project.sh. The active Python is never changed.

# Only one script at a time changes the dependency folder; the system drops the lock when the script ends, however it ends.
lock_deps()
{
    mkdir -p "$DEPS" && [ -w "$DEPS" ] || stop "cannot write into $DEPS: set PIPESCOPE_DEPS to a folder that you own"
    if command -v flock >/dev/null; then
        exec 9>"$DEPS/lock"
        flock -n 9 || { note "another run is fetching into $DEPS: waiting for it" && flock 9; }
        rm -rf "$DEPS"/*.partial.*
    fi
    trap 'rm -rf "$DEPS"/*.partial.$$' EXIT
}

unlock_deps()
{
    exec 9>&-
}

# True when `folder` holds what the requirements file asks for today.
installed_from()
{
    cmp -s "$1" "$2/requirements.txt"
}

# install_whole REQUIREMENTS FOLDER COMMAND: the command fills a folder whose name is its last argument; only when it is
# complete it becomes FOLDER, so that an interrupted run leaves nothing that could be taken for whole.
install_whole()
{
    local requirements=$1 folder=$2 partial=$2.partial.$$ old=$2.old.partial.$$
    shift 2
    # pip unpacks into TMPDIR first: beside the target there is room, and moving is renaming.
    local TMPDIR=$DEPS/tmp.partial.$$
    export TMPDIR
    mkdir -p "$partial" "$TMPDIR"
    "$@" "$requirements" "$partial" ||
        stop "could not fetch the packages of $requirements: see the message above. Nothing half-made is left; run it again"
    cp "$requirements" "$partial/requirements.txt"
    if [ -d "$folder" ]; then
        mv "$folder" "$old"
    fi
    mv "$partial" "$folder"
    rm -rf "$old" "$TMPDIR"
}

pip_install()
{
    "$1" -m pip install --no-user --no-cache-dir --disable-pip-version-check "${@:2}"
}

# Only the named packages, side by side in a folder. pip comes from a venv: Debian's Python has none, or one that refuses.
fill_folder()
{
    python3 -m venv "$TMPDIR/venv" && pip_install "$TMPDIR/venv/bin/python" --no-deps --target "$2" -r "$1"
}

# A whole Python environment. It is used as `bin/python -m ...`, so renaming the folder does no harm.
fill_environment()
{
    python3 -m venv "$2" && pip_install "$2/bin/python" -r "$1"
}

# python_has PYTHON MODULE,MODULE: whether it could import them all, without doing so.
python_has()
{
    command -v "$1" >/dev/null && "$1" - "$2" <<'PYTHON' 2>/dev/null
import importlib.util, sys
sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1].split(",")))
PYTHON
}
