# Makes sure that there is a LibTorch. Sourced after python.sh.

LIBTORCH_REQUIREMENTS=requirements/libtorch.txt

# Reads what cmake/LocateLibTorch.cmake finds into LIBTORCH_ROOT ("" for none) and says what cannot be used and why.
locate_libtorch()
{
    local kind one two three
    LIBTORCH_ROOT=
    while IFS='|' read -r kind one two three; do
        case $kind in
            found)
                LIBTORCH_ROOT=$three
                heading "LibTorch $one from $two: $three"
                ;;
            rejected)
                note "not usable: $two (from $one): $three"
                [ "$one" != PIPESCOPE_LIBTORCH ] || stop "PIPESCOPE_LIBTORCH names a LibTorch that cannot be used: change or unset it"
                ;;
        esac
    done < <(cmake -P cmake/LocateLibTorch.cmake)
}

libtorch_current()
{
    case $LIBTORCH_ROOT in
        "") return 1 ;;
        "$DEPS"/libtorch/*) installed_from "$LIBTORCH_REQUIREMENTS" "$DEPS/libtorch" ;;
    esac
}

require_libtorch()
{
    locate_libtorch
    libtorch_current && return 0
    [ -z "$LIBTORCH_ROOT" ] || note "fetched for other pins than those of $LIBTORCH_REQUIREMENTS today"
    lock_deps
    if ! installed_from "$LIBTORCH_REQUIREMENTS" "$DEPS/libtorch"; then
        heading "Fetching LibTorch into $DEPS/libtorch: about 540 MB to download, 1.2 GB on disk"
        note "to use another one: PIPESCOPE_LIBTORCH=/path/to/torch make ..."
        install_whole "$LIBTORCH_REQUIREMENTS" "$DEPS/libtorch" fill_folder
    fi
    locate_libtorch
    [ -n "$LIBTORCH_ROOT" ] || stop "the LibTorch just fetched cannot be used: see above"
}
