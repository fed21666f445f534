# What the scripts print. Sourced; expects nothing.

heading()
{
    printf '==> %s\n' "$*"
}

note()
{
    printf '    %s\n' "$*"
}

# Ends the script: 2 is "something on this machine must change first", as for the program's bad input.
stop()
{
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 2
}
