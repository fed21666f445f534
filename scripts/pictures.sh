#!/usr/bin/env bash
# Makes the guide's pictures, docs/guide/pictures/MODEL-PERSPECTIVE-THEME.png, from the program as it is built: it loads each
# model, runs it, and saves what its window shows; of mlp only its times and the shards, and one also as it is before it is
# trusted. silero_vad.jit is taken from the folder $PIPESCOPE_MODELS, and left out without it.
# Usage: scripts/pictures.sh [--into FOLDER] [--scale FACTOR] [MODEL...]   of decoder, silero_vad, resnet_like, mlp
# --scale shows a screen of higher density, twice as many points for 2: for looking at, in a folder that --into names.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh

SIZE=1280x800
LARGEST=150000 # bytes that a picture should stay below
PICTURES=docs/guide/pictures

while [[ ${1:-} == --* ]]; do
    case $1 in
        --into) PICTURES=${2:?--into needs a folder} ;;
        --scale) export QT_SCALE_FACTOR=${2:?--scale needs a factor} ;;
        *) stop "unknown option '$1'" ;;
    esac
    shift 2
done
if [ -n "${QT_SCALE_FACTOR:-}" ] && [ "$PICTURES" = docs/guide/pictures ]; then
    stop "the guide's pictures are of scale 1: name another folder with --into"
fi

require_system pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Neither the user's settings in the pictures, nor anything of theirs among the user's settings.
export QT_QPA_PLATFORM=offscreen XDG_CONFIG_HOME=$work/settings XDG_DATA_HOME=$work/data

# plan_of MODEL: the path of a plan that shows it well, made where need be.
plan_of()
{
    case $1 in
        decoder | resnet_like | mlp)
            [ -f "$work/$1.pt" ] || build/bin/make-examples "$work" --only "$1" >/dev/null
            cp "examples/plans/$1.pipescope.json" "$work"
            ;;
        silero_vad)
            [ -f "${PIPESCOPE_MODELS:-}/silero_vad.jit" ] || return 1
            cp "$PIPESCOPE_MODELS/silero_vad.jit" "$work"
            build/bin/pipescope-cli run "$work/silero_vad.jit" --input 'x=float32[8,512]' --input sr=16000 --split 3 \
                --microbatches 4 --save-plan "$work/silero_vad.pipescope.json" >/dev/null
            ;;
        *) stop "there is no model '$1' to make pictures of" ;;
    esac
    echo "$work/$1.pipescope.json"
}

# picture PLAN PERSPECTIVE THEME FILE [OPTION...]
picture()
{
    build/bin/pipescope --screenshot "$4" --perspective "$2" --size "$SIZE" --theme "$3" "${@:5}" "$1"
    optipng -quiet -o4 "$4"
    local bytes
    bytes=$(wc -c <"$4")
    note "$4: $((bytes / 1000)) kB"
    [ "$bytes" -le "$LARGEST" ] || note "larger than $((LARGEST / 1000)) kB: look at it before you commit it"
}

[ $# -gt 0 ] || set -- decoder silero_vad resnet_like mlp
mkdir -p "$PICTURES"
for model in "$@"; do
    if ! plan=$(plan_of "$model"); then
        heading "Skipped: $model, as \$PIPESCOPE_MODELS names no folder with it"
        continue
    fi
    heading "Pictures of $model"
    if [ "$model" = mlp ]; then
        picture "$plan" Split dark "$PICTURES/$model-time-dark.png" --overlay Time
        for theme in dark light; do
            picture "$plan" Shards "$theme" "$PICTURES/$model-shards-$theme.png"
        done
        continue
    fi
    for perspective in Split Timeline; do
        for theme in dark light; do
            picture "$plan" "$perspective" "$theme" "$PICTURES/$model-${perspective,,}-$theme.png"
        done
    done
    if [ "$model" = silero_vad ]; then
        picture "$work/silero_vad.jit" Split light "$PICTURES/$model-untrusted-light.png" --structure-only
    fi
done
