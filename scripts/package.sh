#!/usr/bin/env bash
# Makes a Debian package of what is built: build/pipescope_VERSION_ARCHITECTURE.deb.
. "$(dirname "$0")/lib/project.sh"
. scripts/lib/python.sh
. scripts/lib/system.sh

require_system package
heading "Packing: with LibTorch, this takes a few minutes"
(cd build && cpack -G DEB)
for package in build/pipescope_*.deb; do
    # Without them it installs, and does not start.
    depends=$(dpkg-deb --field "$package" Depends)
    for needed in libc6 libstdc++6 libqt6widgets6; do
        [[ $depends == *"$needed"* ]] || stop "$package does not declare that it needs $needed, but: $depends"
    done
    note "needs: $depends"
    heading "$package: $(($(wc -c <"$package") / 1000000)) MB"
    note "install it with: apt-get install ./$package"
done
