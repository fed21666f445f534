"""`cmake --install` of this build into an empty folder: what lies where, what the desktop is told, and that it runs there.

Started by ctest, which says in the environment what was built and where."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PROJECT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ["PIPESCOPE_BUILD"])
HAS_ENGINE = os.environ["PIPESCOPE_RUNTIME"] == "1"
HAS_WINDOW = os.environ["PIPESCOPE_WINDOW"] == "1"
HAS_LIBTORCH = HAS_ENGINE and os.environ["PIPESCOPE_BUNDLE_LIBTORCH"] == "1"
APP = "org.pipescope.Pipescope"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def matches(rule, data):
    """Whether a <match> of shared-mime-info fits the beginning of a file."""
    first, _, last = rule.get("offset").partition(":")
    value = rule.get("value").encode()
    at = data.find(value, int(first), int(last or first) + len(value))
    return at >= 0 and (not list(rule) or any(matches(inner, data) for inner in rule))


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.root = pathlib.Path(temporary.name).resolve()
        cls.prefix = cls.root / "prefix"
        done = subprocess.run([os.environ["PIPESCOPE_CMAKE"], "--install", BUILD, "--prefix", cls.prefix], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise AssertionError(done.stdout[-4000:])

    def run_installed(self, program, *arguments, path=None, platform="offscreen", before=()):
        """Away from the build and from anybody's settings."""
        # What the desktop's libraries keep until the end is no leak of the program's.
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root), "QT_QPA_PLATFORM": platform, "LANG": "C.UTF-8",
                       "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run([*before, (path or self.prefix) / program, *arguments], env=environment, cwd=self.root, text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def validate(self, tool, *arguments):
        if not shutil.which(tool):
            self.skipTest(f"{tool} is not installed (scripts/bootstrap.sh test)")
        done = subprocess.run([tool, *arguments], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_the_manuals_lie_in_the_documents(self):
        documents = self.prefix / "share/doc/pipescope"
        for name in ("LICENSE", "copyright", "guide/README.md", "cli.md", "plan-format.md"):
            self.assertTrue((documents / name).is_file(), name)

    def test_every_link_of_the_guide_leads_to_a_file(self):
        guide = self.prefix / "share/doc/pipescope/guide"
        for page in guide.glob("*.md"):
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / target).is_file(), f"{page.name}: {target}")

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_desktop_finds_program_icon_and_file_type(self):
        share = self.prefix / "share"
        entry = (share / f"applications/{APP}.desktop").read_text()
        self.assertIn("\nExec=pipescope %f\n", entry)
        self.assertIn(f"\nIcon={APP}\n", entry)
        self.assertTrue((self.prefix / "bin/pipescope").exists())
        self.assertTrue((share / f"icons/hicolor/scalable/apps/{APP}.svg").exists())
        for size in (48, 128, 256):
            png = (share / f"icons/hicolor/{size}x{size}/apps/{APP}.png").read_bytes()
            self.assertEqual(int.from_bytes(png[16:20], "big"), size)
        types = {element.get("type") for element in
                 xml.etree.ElementTree.parse(share / f"mime/packages/{APP}.xml").iter(f"{MIME}mime-type")}
        self.assertEqual(types, set(re.search("^MimeType=(.*);$", entry, re.MULTILINE)[1].split(";")))

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_icon_has_the_colours_of_the_theme(self):
        theme = (PROJECT / "resources/theme.json").read_text()
        icon = (self.prefix / f"share/icons/hicolor/scalable/apps/{APP}.svg").read_text()
        for colour in re.findall('"(#[0-9a-f]+)"', icon):
            self.assertIn(colour, theme)

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_menu_entry_is_valid(self):
        self.assertEqual(self.validate("desktop-file-validate", self.prefix / f"share/applications/{APP}.desktop"), "")

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_entry_for_software_centres_is_valid(self):
        self.validate("appstreamcli", "validate", "--no-net", self.prefix / f"share/metainfo/{APP}.metainfo.xml")

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_file_type_is_one_that_the_mime_database_takes(self):
        mime = self.root / "mime"
        shutil.copytree(self.prefix / "share/mime", mime)
        self.validate("update-mime-database", mime)
        self.assertIn("application/vnd.pipescope.plan+json:*.pipescope.json", (mime / "globs2").read_text())

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_plans_are_told_from_other_json(self):
        rule = next(xml.etree.ElementTree.parse(self.prefix / f"share/mime/packages/{APP}.xml").iter(f"{MIME}magic"))[0]
        plans = list((PROJECT / "examples/plans").glob("*.json"))
        self.assertTrue(plans)
        for plan in plans:
            self.assertTrue(matches(rule, plan.read_bytes()), plan)
        self.assertTrue(matches(rule, b'  \n{"pipescopePlan":1}'))
        self.assertFalse(matches(rule, (PROJECT / "resources/theme.json").read_bytes()))
        self.assertFalse(matches(rule, b'[{"pipescopePlan": 1}]'[:1] + b" " * 40))

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_window_tells_its_version(self):
        self.assertRegex(self.run_installed("bin/pipescope", "--version"), r"^pipescope \d+\.\d+\.\d+\n$")

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    def test_the_window_starts_where_there_is_no_engine(self):
        listed = subprocess.run(["ldd", self.prefix / "bin/pipescope"], text=True, check=True, capture_output=True).stdout
        self.assertNotIn("torch", listed)
        alone = self.root / "alone"
        alone.mkdir()
        shutil.copy(self.prefix / "bin/pipescope", alone)
        self.assertEqual(self.run_installed("pipescope", "--quit-after-first-paint", path=alone), "painted\n")

    @unittest.skipUnless(HAS_WINDOW, "built without the window")
    @unittest.skipUnless(shutil.which("xvfb-run") and shutil.which("xauth"), "no xvfb-run here (scripts/bootstrap.sh test)")
    def test_the_window_starts_on_an_x_server(self):
        said = self.run_installed("bin/pipescope", "--quit-after-first-paint", platform="xcb", before=("xvfb-run", "--auto-servernum"))
        self.assertEqual(said, "painted\n")

    @unittest.skipUnless(HAS_ENGINE, "built without the engine")
    def test_the_engine_tells_its_version(self):
        self.assertRegex(self.run_installed("bin/pipescope-cli", "--version"), r"^\S*\d+\.\d+\.\d+")

    @unittest.skipUnless(HAS_ENGINE, "built without the engine")
    def test_the_examples_are_made_and_read(self):
        examples = self.root / "examples"
        self.run_installed("lib/pipescope/make-examples", examples, "--only", "mlp", "--small")
        self.assertIn("layers.7", self.run_installed("bin/pipescope-cli", "inspect", examples / "mlp.pt"))
        plans = {path.name for path in (self.prefix / "share/pipescope/examples").iterdir()}
        self.assertEqual(plans, {path.name for path in (PROJECT / "examples/plans").iterdir()})

    @unittest.skipUnless(HAS_LIBTORCH, "installed without LibTorch's libraries")
    def test_the_engine_takes_the_libtorch_beside_it(self):
        listed = subprocess.run(["ldd", self.prefix / "bin/pipescope-cli"], text=True, check=True, capture_output=True).stdout
        self.assertNotIn("not found", listed)
        found = dict(re.findall(r"^\s*(\S+) => (\S+)", listed, re.MULTILINE))
        own = {path.name for path in (self.prefix / "lib/pipescope").glob("*.so*")}
        self.assertIn("libtorch_cpu.so", own)
        for library in own:
            self.assertEqual(pathlib.Path(found[library]).resolve(), self.prefix / "lib/pipescope" / library)

    @unittest.skipUnless(HAS_ENGINE, "built without the engine")
    def test_the_names_of_libtorchs_gpu_half_lie_where_the_engine_looks(self):
        names = {path.name for path in (self.prefix / "bin/../lib/pipescope/without_cuda").iterdir()}
        self.assertEqual(names, {"libtorch.so", "libtorch_cuda.so", "libc10_cuda.so"})

    @unittest.skipUnless(HAS_LIBTORCH, "installed without LibTorch's libraries")
    def test_the_libraries_come_with_their_licences(self):
        licences = [path.parent for path in (self.prefix / "share/doc").rglob("licenses/*/*") if path.name.upper().startswith("LICEN")]
        self.assertTrue(licences)
        if list((self.prefix / "lib/pipescope").glob("libcudart*")):
            self.assertTrue([path for path in licences if "cuda" in path.name])


if __name__ == "__main__":
    unittest.main()
