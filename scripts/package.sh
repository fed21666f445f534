#!/usr/bin/env bash
# Makes a Debian package of what is built: build/pipescope_VERSION_ARCHITECTURE.deb.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh

require_system package
heading "Packing: with LibTorch, this takes a few minutes"
(cd build && cpack -G DEB)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# packages_needed PROGRAM: the Debian packages whose libraries it is linked with, one a line.
packages_needed()
{
    local name path
    objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | while read -r name; do
        path=$(LD_LIBRARY_PATH='' ldd "$1" | awk -v name="$name" '$1 == name { print $3 }')
        # Packed along, or the loader itself, which has no path of its own there and is of libc6.
        [[ $path != "$work"/* && -n $path ]] || continue
        # Where /lib is a link to /usr/lib, dpkg still knows some files by the short name.
        { dpkg-query -S "$(realpath "$path")" || dpkg-query -S "${path#/usr}" || dpkg-query -S "$path"; } 2>/dev/null |
            cut -d: -f1 | grep . || stop "no package is known to own $path, which $(basename "$1") is linked with"
    done | sort -u
}

for package in build/pipescope_*.deb; do
    # Without them it installs, and does not start.
    depends=$(dpkg-deb --field "$package" Depends)
    names=" $(sed 's/([^)]*)//g; s/[,|]/ /g' <<<"$depends") "
    dpkg-deb -x "$package" "$work"
    for program in pipescope pipescope-cli; do
        needed=$(packages_needed "$work/usr/bin/$program")
        [[ $needed == *libc6* ]] || stop "$program in $package: cannot tell what it is linked with"
        for one in $needed; do
            [[ $names == *" $one "* ]] ||
                stop "$package does not declare that it needs $one, which $program is linked with, but: $depends"
        done
        QT_QPA_PLATFORM=offscreen "$work/usr/bin/$program" --version >/dev/null || stop "$program does not start from $package"
    done
    note "needs: $depends"
    heading "$package: $(($(wc -c <"$package") / 1000000)) MB"
    note "install it with: apt-get install ./$package"
done
