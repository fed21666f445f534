"""Writes what scripts/tidy.sh has clang-tidy read: files that include all files of some folders, so that the headers they
share (LibTorch's take longer than all of core) are read once for all, and compile_commands.json with their flags, those of
a target of the build.

Usage: tidy_units.py BUILD FOLDER. Prints the name of each unit, the longest first."""
import json
import pathlib
import shlex
import sys

# Of each unit: its name, the target whose flags it has, and the files it includes. A folder's names are unique in it.
UNITS = [
    ("core/tensor, import", "pipescope_import", ["core/tensor/**/*.cpp", "core/import/**/*.cpp"]),
    ("core/exec, runtime, dtensor", "pipescope_runtime", [
        f"core/{folder}/**/*.cpp" for folder in ("exec", "runtime", "dtensor")]),
    ("core/check, engine", "pipescope_engine", ["core/check/**/*.cpp", "core/engine/**/*.cpp"]),
    ("core/base to schedule", "pipescope_outline", [
        f"core/{folder}/**/*.cpp" for folder in ("base", "archive", "graph", "ops", "outline", "partition", "microbatch", "schedule")]),
    ("core/trace to protocol", "pipescope_protocol", [
        f"core/{folder}/**/*.cpp" for folder in ("trace", "comm", "shard", "plan", "report", "protocol")]),
    ("app", "pipescope-cli", ["app/*.cpp"]),
    ("app/window", "pipescope", ["app/window/*.cpp"]),
    ("app/without_cuda", "pipescope_without_torch_cuda", ["app/without_cuda/*.cpp"]),
    ("headers of ui", "pipescope", ["ui/**/*.h"]),
]
COVERED = ["core/**/*.cpp", "app/**/*.cpp", "ui/**/*.h"]


def matching(root, patterns):
    return sorted({path for pattern in patterns for path in root.glob(pattern)})


def flags_of(commands, target):
    """What decides how the files of the target are read; no precompiled header and nothing of code generation."""
    for entry in commands:
        words = shlex.split(entry["command"])
        if f"/{target}.dir/" in entry.get("output", entry["command"]):
            break
    else:
        sys.exit(f"tidy_units.py: the build has no target {target}")
    flags = []
    for position, word in enumerate(words):
        if word in ("-isystem", "-I"):
            flags += [word, words[position + 1]]
        elif word.startswith(("-I/", "-isystem/", "-D", "-std=", "-W", "-fPI")) and word != "-Winvalid-pch":
            flags.append(word)
    return flags


def main():
    root = pathlib.Path.cwd()
    build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    commands = json.loads((build / "compile_commands.json").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    left = set(matching(root, COVERED))
    for name, target, patterns in UNITS:
        files = matching(root, patterns)
        left -= set(files)
        unit = folder / (name.replace("/", "-").replace(", ", "-").replace(" ", "-") + ".cpp")
        unit.write_text("".join(f'#include "{file}"\n' for file in files))
        arguments = ["clang++", *flags_of(commands, target), "-Wno-unknown-warning-option", "-ferror-limit=0", "-c", str(unit)]
        written.append({"directory": str(root), "file": str(unit), "arguments": arguments})
        print(unit.stem)
    if left:
        sys.exit("tidy_units.py: no unit includes " + ", ".join(str(file.relative_to(root)) for file in sorted(left)))
    (folder / "compile_commands.json").write_text(json.dumps(written, indent=1))


main()
