"""The layer check itself: each kind of wrong tree is refused, and for its own reason."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check_layers.py")
CMAKE = """
pipescope_add_library(base DEPENDS fmt::fmt)
pipescope_add_library(graph DEPENDS base)
pipescope_add_library(schedule DEPENDS base)
pipescope_add_library(trace DEPENDS schedule)
if(PIPESCOPE_RUNTIME)
  pipescope_add_library(tensor TORCH DEPENDS trace graph)
endif()
"""
GOOD = {
    "base/text.h": "#include <string>\n",
    "graph/graph.h": '#include "base/text.h"\n',
    "trace/trace.cpp": '#include "trace/trace.h"\n#include "base/text.h"\n#include "schedule/schedule.h"\n#include <fmt/core.h>\n',
    "tensor/tensor.cpp": '#include "graph/graph.h"\n#include <ATen/ATen.h>\n#include <torch/csrc/jit/ir/ir.h>\n',
}


class CheckLayers(unittest.TestCase):
    def check(self, files, cmake=CMAKE):
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "core"
            for name, text in {**GOOD, **files, "CMakeLists.txt": cmake}.items():
                path = core / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, str(CHECK), folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout.splitlines()

    def refused(self, files, line, cmake=CMAKE):
        self.assertEqual(self.check(files, cmake), (1, [line]))

    def test_a_good_tree_passes(self):
        self.assertEqual(self.check({}), (0, ["layers: every include points downwards"]))

    def test_a_folder_above_is_refused_with_its_line(self):
        self.refused({"base/bad.h": '#include <string>\n\n#include "graph/graph.h"\n'},
                     "core/base/bad.h:3: includes graph/graph.h: base stands below graph, or beside it")

    def test_a_folder_beside_is_refused(self):
        self.refused({"graph/bad.cpp": '#include "schedule/schedule.h"\n'},
                     "core/graph/bad.cpp:1: includes schedule/schedule.h: graph stands below schedule, or beside it")

    def test_a_folder_inside_a_folder_counts_as_the_outer_one(self):
        self.refused({"schedule/kinds/bad.cpp": '#include "trace/trace.h"\n'},
                     "core/schedule/kinds/bad.cpp:1: includes trace/trace.h: schedule stands below trace, or beside it")

    def test_torch_in_a_torch_free_folder_is_refused_however_it_is_written(self):
        for header in ("<torch/script.h>", "<ATen/ATen.h>", '"c10/core/Device.h"', "<caffe2/serialize/inline_container.h>"):
            with self.subTest(header):
                self.refused({"trace/bad.h": f"#  include {header}\n"},
                             f"core/trace/bad.h:1: includes {header[1:-1]}: LibTorch in a folder declared without TORCH")

    def test_qt_is_refused_everywhere_in_core(self):
        for header in ("QString", "QtCore/QString", "QtTest"):
            with self.subTest(header):
                self.refused({"tensor/bad.cpp": f"#include <{header}>\n"},
                             f"core/tensor/bad.cpp:1: includes {header}: Qt in core")

    def check_ui(self, files):
        cmake = "pipescope_add_ui_library(style DEPENDS pipescope_base Qt6::Gui)\n" \
                "pipescope_add_ui_library(session DEPENDS pipescope_model)\n" \
                "pipescope_add_ui_library(timeline DEPENDS pipescope_ui_session pipescope_ui_style Qt6::Widgets)\n"
        return self.check({"../ui/CMakeLists.txt": cmake, **{f"../ui/{name}": text for name, text in files.items()}})

    def test_a_good_window_passes(self):
        text = '#include "session/a.h"\n#include "style/b.h"\n#include "trace/c.h"\n#include <QWidget>\n#include "view.moc"\n'
        self.assertEqual(self.check_ui({"timeline/view.cpp": text}), (0, ["layers: every include points downwards"]))

    def test_what_the_window_may_not_see_is_refused(self):
        for folder, include, fault in (
                ("session", '"timeline/view.h"', "session stands below timeline, or beside it"),
                ("style", '"session/a.h"', "style stands below session, or beside it"),
                ("session", '"tensor/chunks.h"', "tensor needs LibTorch, which ui does without"),
                ("session", "<torch/script.h>", "LibTorch in ui"),
                ("session", '"a.h"', 'write "folder/file.h", seen from ui/ or core/')):
            with self.subTest(include):
                self.assertEqual(self.check_ui({f"{folder}/bad.cpp": f"#include {include}\n"}),
                                 (1, [f"ui/{folder}/bad.cpp:1: includes {include[1:-1]}: {fault}"]))

    def test_an_undeclared_folder_of_the_window_is_refused(self):
        self.assertEqual(self.check_ui({"lost/a.h": ""}), (1, ["ui/lost/a.h: lost is not declared in ui/CMakeLists.txt"]))

    def test_an_include_without_its_folder_is_refused(self):
        for header in ("text.h", "../base/text.h", "core/base/text.h"):
            with self.subTest(header):
                self.refused({"base/bad.cpp": f'#include "{header}"\n'},
                             f'core/base/bad.cpp:1: includes {header}: write "folder/file.h", seen from core/')

    def test_a_folder_nobody_declared_is_refused(self):
        self.refused({"stray/stray.h": ""}, "core/stray/stray.h: stray is not declared in core/CMakeLists.txt")

    def test_a_circle_of_dependencies_is_refused(self):
        code, lines = self.check({}, CMAKE.replace("base DEPENDS fmt::fmt", "base DEPENDS graph"))
        self.assertEqual(code, 1)
        self.assertIn("core/CMakeLists.txt: base depends on itself: base -> graph -> base", lines)

    def test_a_torch_free_folder_above_a_torch_folder_is_refused(self):
        self.refused({}, "core/CMakeLists.txt: report is declared without TORCH but depends on tensor",
                     CMAKE + "pipescope_add_library(report DEPENDS tensor)\n")

    def test_a_tree_without_declarations_is_refused(self):
        self.refused({}, "core/CMakeLists.txt: no pipescope_add_library found", "")


if __name__ == "__main__":
    unittest.main()
