#!/usr/bin/env python3
"""Checks the directions between folders (core/README.md): a folder of core or ui includes only itself and what the
CMakeLists.txt there says it depends on, LibTorch's headers appear only in the folders of core declared with TORCH, Qt's
nowhere in core, and ui sees of core only what needs no LibTorch.

Usage: check_layers.py [PROJECT FOLDER]. Prints one line per wrong include and exits 1 if there is any.
"""

import pathlib
import re
import sys

LIBRARY = re.compile(r"^\s*pipescope_add_library\((\w+)( TORCH)?(?: DEPENDS ([^)]*))?\)", re.MULTILINE)
UI_LIBRARY = re.compile(r"^\s*pipescope_add_ui_library\((\w+)(?: DEPENDS ([^)]*))?\)", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10|caffe2)/")
QT = re.compile(r"^(Qt\w*/|Q[A-Z]\w*$|Qt\w+$)")


def read_folders(core):
    """Name -> (names it depends on directly, whether it may see LibTorch)."""
    text = (core / "CMakeLists.txt").read_text(encoding="utf-8")
    found = LIBRARY.findall(text)
    names = {name for name, _, _ in found}
    return {name: ([d for d in depends.split() if d in names], bool(torch)) for name, torch, depends in found}


def below(name, folders, path=()):
    """Everything `name` depends on, directly or not. Raises ValueError when it depends on itself."""
    if name in path:
        raise ValueError(" -> ".join([*path[path.index(name):], name]))
    reached = set()
    for direct in folders[name][0]:
        reached |= {direct} | below(direct, folders, (*path, name))
    return reached


def declaration_faults(folders):
    for name, (_, torch) in folders.items():
        try:
            reached = below(name, folders)
        except ValueError as circle:
            yield f"core/CMakeLists.txt: {name} depends on itself: {circle}"
            continue
        if not torch:
            for other in sorted(reached):
                if folders[other][1]:
                    yield f"core/CMakeLists.txt: {name} is declared without TORCH but depends on {other}"


def include_fault(folder, quote, header, allowed, torch, folders):
    """What is wrong with one include in `folder`, or None."""
    if TORCH.match(header) and not torch:
        return "LibTorch in a folder declared without TORCH"
    if QT.match(header):
        return "Qt in core"
    if quote == "<":
        return None
    first, slash, _ = header.partition("/")
    if not slash or first not in folders:
        return 'write "folder/file.h", seen from core/'
    if first != folder and first not in allowed:
        return f"{folder} stands below {first}, or beside it"
    return None


def source_faults(core, folders):
    for path in sorted(core.rglob("*")):
        if path.suffix not in (".h", ".cpp") or not path.is_file():
            continue
        folder = path.relative_to(core).parts[0]
        if folder not in folders:
            yield f"{path.relative_to(core.parent)}: {folder} is not declared in core/CMakeLists.txt"
            continue
        allowed, torch = below(folder, folders), folders[folder][1]
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            fault = include_fault(folder, match[1], match[2], allowed, torch, folders)
            if fault:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(core.parent)}:{line}: includes {match[2]}: {fault}"


def read_ui_folders(ui):
    """Name -> names of ui it depends on directly."""
    found = UI_LIBRARY.findall((ui / "CMakeLists.txt").read_text(encoding="utf-8"))
    prefix = "pipescope_ui_"
    return {name: [d.removeprefix(prefix) for d in depends.split() if d.startswith(prefix)] for name, depends in found}


def ui_include_fault(folder, quote, header, uis, folders):
    """What is wrong with one include in ui/`folder`, or None."""
    if TORCH.match(header):
        return "LibTorch in ui"
    first, slash, _ = header.partition("/")
    if quote == "<" or (not slash and header.endswith(".moc")):
        return None
    if not slash or (first not in uis and first not in folders):
        return 'write "folder/file.h", seen from ui/ or core/'
    if first in folders:
        return f"{first} needs LibTorch, which ui does without" if folders[first][1] else None
    reached = below(folder, {name: (depends, False) for name, depends in uis.items()})
    return None if first == folder or first in reached else f"{folder} stands below {first}, or beside it"


def ui_faults(ui, folders):
    uis = read_ui_folders(ui)
    for path in sorted(ui.rglob("*")):
        if path.suffix not in (".h", ".cpp") or not path.is_file():
            continue
        folder = path.relative_to(ui).parts[0]
        if folder not in uis:
            yield f"{path.relative_to(ui.parent)}: {folder} is not declared in ui/CMakeLists.txt"
            continue
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            fault = ui_include_fault(folder, match[1], match[2], uis, folders)
            if fault:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(ui.parent)}:{line}: includes {match[2]}: {fault}"


def faults(project):
    core, ui = project / "core", project / "ui"
    folders = read_folders(core)
    if not folders:
        return ["core/CMakeLists.txt: no pipescope_add_library found"]
    wrong = list(declaration_faults(folders)) or list(source_faults(core, folders))
    return wrong + (list(ui_faults(ui, folders)) if ui.is_dir() else [])


def main():
    project = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    found = faults(project)
    for fault in found:
        print(fault)
    if not found:
        print("layers: every include points downwards")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
