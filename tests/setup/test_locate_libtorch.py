"""cmake/LocateLibTorch.cmake on folders that look like LibTorch: what is found, in which order, and why others are not."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

MODULE = pathlib.Path(__file__).parents[2] / "cmake" / "LocateLibTorch.cmake"
HEADERS = ("ATen/ATen.h", "c10/core/Device.h", "torch/csrc/jit/api/module.h", "torch/csrc/jit/ir/ir.h",
           "torch/csrc/jit/runtime/interpreter.h", "caffe2/serialize/inline_container.h")


class LocateLibTorch(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        # A copy, so that a LibTorch in the real project's .deps plays no part.
        self.module = self.folder / "project" / "cmake" / MODULE.name
        self.module.parent.mkdir(parents=True)
        shutil.copy(MODULE, self.module)

    def torch(self, place, version="2.15.0", without=()):
        root = self.folder / place
        for header in HEADERS:
            if header not in without:
                (root / "include" / header).parent.mkdir(parents=True, exist_ok=True)
                (root / "include" / header).touch()
        defines = zip(("MAJOR", "MINOR", "PATCH"), version.split("."))
        version_header = root / "include" / "torch" / "headeronly" / "version.h"
        version_header.parent.mkdir(parents=True, exist_ok=True)
        version_header.write_text("".join(f"#define TORCH_VERSION_{name} {number}\n" for name, number in defines))
        (root / "lib").mkdir()
        (root / "lib" / "libtorch_cpu.so").touch()
        return root

    def locate(self, **environment):
        environment = {"PATH": "/nonexistent", **{name: str(value) for name, value in environment.items()}}
        done = subprocess.run([shutil.which("cmake"), "-P", str(self.module)], env=environment, capture_output=True,
                              text=True, check=True, cwd=self.folder)
        return done.stdout.splitlines()

    def found(self, root, place, version="2.15.0"):
        return f"found|{version}|{place}|{root}"

    def test_nothing_is_found_where_nothing_is(self):
        self.assertEqual(self.locate(), [])

    def test_every_way_of_naming_a_wheel_finds_its_folder(self):
        root = self.torch("venv/lib/python3.11/site-packages/torch")
        for path in (root, root.parent, self.folder / "venv", "../venv", root / "share/cmake"):
            with self.subTest(path):
                self.assertEqual(self.locate(PIPESCOPE_LIBTORCH=path), [self.found(root, "PIPESCOPE_LIBTORCH")])
        self.assertEqual(self.locate(Torch_DIR=root / "share/cmake/Torch"), [self.found(root, "Torch_DIR")])
        self.assertEqual(self.locate(CMAKE_PREFIX_PATH=f"/usr/nowhere:{root}"), [self.found(root, "CMAKE_PREFIX_PATH")])

    def test_the_places_are_looked_at_in_their_order(self):
        places = {name: self.torch(name) for name in ("PIPESCOPE_LIBTORCH", "Torch_DIR", "CMAKE_PREFIX_PATH")}
        python_torch = self.torch("python/torch")
        python = self.folder / "bin" / "python3"
        python.parent.mkdir()
        python.write_text(f"#!/bin/sh\necho {python_torch}\n")
        python.chmod(0o755)
        deps = self.torch("deps/libtorch/torch")
        project = self.torch("project/.deps/libtorch/torch")
        environment = {**places, "PATH": python.parent, "PIPESCOPE_DEPS": self.folder / "deps"}
        expected = [*((name, root, name) for name, root in places.items()), ("PATH", python_torch, "the active Python"),
                    ("PIPESCOPE_DEPS", deps, "PIPESCOPE_DEPS")]
        for variable, root, place in expected:
            self.assertEqual(self.locate(**environment), [self.found(root, place)])
            del environment[variable]
        self.assertEqual(self.locate(), [self.found(project, "the project's .deps")])

    def test_missing_headers_are_named(self):
        root = self.torch("torch", without=("torch/csrc/jit/ir/ir.h", "ATen/ATen.h"))
        self.assertEqual(self.locate(Torch_DIR=root), [
            f"rejected|Torch_DIR|{root}|headers are missing (ATen/ATen.h, torch/csrc/jit/ir/ir.h): install the torch wheel "
            "from PyPI, whose headers are complete"])

    def test_a_version_outside_the_range_is_passed_over(self):
        good = self.torch("good", version="2.11.0")
        for version in ("2.10.1", "2.16.0"):
            with self.subTest(version):
                bad = self.torch(version, version=version)
                self.assertEqual(self.locate(Torch_DIR=bad, CMAKE_PREFIX_PATH=good), [
                    f"rejected|Torch_DIR|{bad}|its version is '{version}': 2.11 to 2.15 are supported",
                    self.found(good, "CMAKE_PREFIX_PATH", "2.11.0")])

    def test_a_pipescope_libtorch_that_cannot_be_used_ends_the_search(self):
        good = self.torch("good")
        self.assertEqual(self.locate(PIPESCOPE_LIBTORCH=self.folder / "empty", CMAKE_PREFIX_PATH=good), [
            f"rejected|PIPESCOPE_LIBTORCH|{self.folder}/empty|no lib/libtorch_cpu.so in it: name the folder that holds "
            "LibTorch's include and lib, or one that holds torch"])


if __name__ == "__main__":
    unittest.main()
