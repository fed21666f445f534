#!/usr/bin/env bash
# Makes the example models and runs the decoder in four stages. Everything it writes is in demo/.
. "$(dirname "$0")/lib/project.sh"

heading "Making the example models in demo/models"
build/bin/make-examples demo/models

command=(build/bin/pipescope-cli run demo/models/decoder.pt
    --input 'ids=int64[16,64]<50257' --split 4 --microbatches 8 --schedule gpipe --devices cpu:4
    --trace demo/trace.json --save-plan demo/plan.json)
heading "Running a GPT-style decoder in 4 stages, 8 microbatches, on 4 CPU ranks, and comparing it with the unsplit model"
printf '    %q' "${command[0]}"
printf ' %q' "${command[@]:1}"
printf '\n\n'
"${command[@]}"

heading "Written: demo/trace.json (opens in ui.perfetto.dev) and demo/plan.json (try: build/bin/pipescope-cli check demo/plan.json)"
heading "See it in the window: build/bin/pipescope --trust demo/plan.json"
# Only where somebody sits before a screen: not in a script, and not where a service builds.
if [ -z "${CI:-}" ] && [ -t 0 ] && [ -t 1 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    note "opening it; close the window to come back"
    build/bin/pipescope --trust demo/plan.json || note "the window could not be opened here: see the message above"
fi
