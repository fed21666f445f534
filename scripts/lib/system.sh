# Finds which rows of requirements/system.txt this machine lacks and installs them with apt, or says what to install.
# Sourced after python.sh.

# Prints the rows of the given groups.
system_rows()
{
    local group
    for group in "$@"; do
        grep -E "^$group +" requirements/system.txt
    done
}

command_present()
{
    if [ "$1" = c++ ] && [ -n "${CXX:-}" ]; then
        command -v "${CXX%% *}" >/dev/null
    elif [ "$1" = cmake ]; then
        command -v cmake >/dev/null && version_at_least 3.22 "$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')"
    else
        command -v "$1" >/dev/null
    fi
}

version_at_least()
{
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

package_installed()
{
    command -v dpkg-query >/dev/null && dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

sanitizer_links()
{
    echo 'int main() {}' | "$1" -fsanitize=address -x c++ - -o /dev/null >/dev/null 2>&1
}

# Of the CMake packages named, prints those that CMake does not find. Asked only about libraries that are not there as
# Debian packages: on other systems, or installed by hand.
libraries_cmake_lacks()
{
    local folder
    folder=$(mktemp -d)
    cat >"$folder/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(Probe LANGUAGES CXX)
foreach(library IN LISTS LIBRARIES)
  string(REPLACE "@" ";" words "${library}")
  list(GET words 0 name)
  find_package(${words} QUIET)
  if(NOT ${name}_FOUND)
    file(APPEND "${CMAKE_BINARY_DIR}/missing" "${library}\n")
  endif()
endforeach()
CMAKE
    if cmake -S "$folder" -B "$folder/build" -G Ninja "-DLIBRARIES=$(IFS=';' && echo "$*")" >"$folder/log" 2>&1; then
        cat "$folder/build/missing" 2>/dev/null || true
    else
        printf '%s\n' "$@"
    fi
    rm -rf "$folder"
}

# Prints the rows of the given groups that this machine lacks.
missing_rows()
{
    local rows group kind name package purpose doubtful=() absent
    rows=$(system_rows "$@")
    while read -r group kind name package purpose; do
        case $kind in
            command) command_present "$name" ;;
            python) python_has python3 "$name" ;;
            sanitizer) sanitizer_links "$name" ;;
            library) package_installed "$package" || { doubtful+=("$name") && continue; } ;;
        esac || echo "$group $kind $name $package $purpose"
    done <<<"$rows"
    [ ${#doubtful[@]} -gt 0 ] || return 0
    absent=$(libraries_cmake_lacks "${doubtful[@]}")
    while read -r group kind name package purpose; do
        if [ "$kind" = library ] && grep -qxF "$name" <<<"$absent"; then
            echo "$group $kind $name $package $purpose"
        fi
    done <<<"$rows"
}

print_rows()
{
    local group kind name package purpose
    while read -r group kind name package purpose; do
        printf '    %-20s %s\n' "$package" "$purpose"
    done
}

# apt_get [sudo] ARGUMENT...: shows apt's own progress on a terminal; elsewhere its hundreds of lines go to a file, and are
# shown when it fails.
apt_get()
{
    local as_root=$1 log
    shift
    heading "apt-get $*"
    if [ -t 1 ]; then
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@"
        return
    fi
    log=$(mktemp)
    if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1; then
        cat "$log" && rm -f "$log"
        return 1
    fi
    grep '^Fetched' "$log" || true
    rm -f "$log"
}

# Installs packages, as root or through the command given.
apt_install()
{
    local as_root=$1 packages=$2
    apt_get "$as_root" update || note "some package lists could not be fetched: going on with those there are"
    apt_get "$as_root" install --yes --no-install-recommends $packages || stop "apt-get could not install them: see its message above"
}

# Asks on the terminal; no terminal is a no.
agreed()
{
    local answer
    [ -t 0 ] || return 1
    read -r -p "$1 [Y/n] " answer
    case $answer in
        "" | [Yy]*) return 0 ;;
        *) return 1 ;;
    esac
}

# Makes sure that everything of the given groups is there. The group "speed" comes along when something is installed
# anyway, and is never asked for on its own.
require_system()
{
    local missing packages
    missing=$(missing_rows "$@")
    [ -n "$missing" ] || return 0
    heading "Missing on this machine:"
    print_rows <<<"$missing"
    if ! command -v apt-get >/dev/null; then
        stop "install these with your system's package manager (the names are Debian's), then run it again"
    fi
    packages=$(awk 'NF {print $4}' <<<"$missing"$'\n'"$(missing_rows speed)" | sort -u | paste -sd ' ' -)
    if [ "$(id -u)" -eq 0 ]; then
        apt_install "" "$packages"
    elif command -v sudo >/dev/null && agreed "Install them now with sudo apt-get?"; then
        apt_install sudo "$packages"
    else
        stop "nothing installed, as that needs root. Have this run as root, then run it again:
    apt-get install --no-install-recommends $packages"
    fi
    missing=$(missing_rows "$@")
    [ -z "$missing" ] || stop "still missing after installing:
$(print_rows <<<"$missing")"
}
