"""scripts/demo.sh with programs that only take notes: what it says at its end, and when it opens the window."""

import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]


class Demo(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.project = pathlib.Path(temporary.name).resolve()
        shutil.copytree(PROJECT / "scripts", self.project / "scripts")
        programs = self.project / "build/bin"
        programs.mkdir(parents=True)
        for name in ("make-examples", "pipescope-cli", "pipescope"):
            (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{self.project}/ran\n')
            (programs / name).chmod(0o755)

    def demo(self, on_terminal, **environment):
        """What it printed, and the programs it ran."""
        environment = {"PATH": os.environ["PATH"], **environment}
        try:
            keyboard, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine has no pseudo-terminals: {error}")
        try:
            stream = terminal if on_terminal else subprocess.PIPE
            done = subprocess.run([shutil.which("bash"), "scripts/demo.sh"], cwd=self.project, env=environment, check=False,
                                  stdin=terminal if on_terminal else subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0)
            said = os.read(keyboard, 1 << 16) if on_terminal else done.stdout
        finally:
            os.close(keyboard)
            os.close(terminal)
        return said.decode(), (self.project / "ran").read_text().splitlines()

    def test_it_ends_by_saying_how_to_open_the_window(self):
        said, ran = self.demo(on_terminal=False)
        self.assertTrue(said.endswith("==> See it in the window: build/bin/pipescope --trust demo/plan.json\n"), said)
        self.assertEqual([line.split()[0] for line in ran], ["make-examples", "pipescope-cli"])

    def test_on_a_terminal_with_a_display_it_opens_the_window(self):
        for display in ("DISPLAY", "WAYLAND_DISPLAY"):
            with self.subTest(display):
                _, ran = self.demo(on_terminal=True, **{display: ":0"})
                self.assertEqual(ran[-1], "pipescope --trust demo/plan.json")

    def test_it_opens_none_without_a_display_or_a_terminal_or_where_a_service_builds(self):
        for on_terminal, environment in ((True, {}), (False, {"DISPLAY": ":0"}), (True, {"DISPLAY": ":0", "CI": "true"})):
            with self.subTest(environment):
                _, ran = self.demo(on_terminal, **environment)
                self.assertNotIn("pipescope --trust demo/plan.json", ran)

    def test_a_window_that_cannot_be_opened_fails_nothing(self):
        (self.project / "build/bin/pipescope").write_text("#!/bin/sh\nexit 1\n")
        said, _ = self.demo(on_terminal=True, DISPLAY=":0")
        self.assertIn("could not be opened", said)


if __name__ == "__main__":
    unittest.main()
