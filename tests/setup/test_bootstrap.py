"""scripts/bootstrap.sh and its parts on a make-believe machine: a PATH of links and of programs that only take notes."""

import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).parents[2]
TOOLS = ("awk", "basename", "bash", "cat", "cmp", "cp", "dirname", "env", "flock", "grep", "head", "mkdir", "mktemp", "mv", "paste",
         "realpath", "rm", "sed", "sort")
TABLE = """# a comment
build  command  frobnicate  frobnicator  turns knobs
speed  command  speedup     speeder      is faster
lint   command  polish      polisher     polishes
"""


class Machine(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name).resolve()
        self.project, self.bin, self.deps = (self.folder / name for name in ("project", "bin", "deps"))
        shutil.copytree(PROJECT / "scripts", self.project / "scripts")
        (self.project / "requirements").mkdir()
        (self.project / "requirements/system.txt").write_text(TABLE)
        (self.project / "requirements/some.txt").write_text("some==1\n")
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.user(0)

    def program(self, name, text):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def user(self, number):
        self.program("id", f"echo {number}")

    def apt(self):
        """An apt-get that notes what it is asked and installs a frobnicate."""
        self.program("apt-get", f'echo "$*" >>{self.folder}/asked; printf "#!/bin/sh\\n" >{self.bin}/frobnicate; '
                                f'/bin/chmod +x {self.bin}/frobnicate')

    def asked(self):
        asked = self.folder / "asked"
        return asked.read_text().splitlines() if asked.exists() else []

    def bash(self, *command, stdin=subprocess.DEVNULL):
        environment = {"PATH": str(self.bin), "PIPESCOPE_DEPS": str(self.deps)}
        return subprocess.run([shutil.which("bash"), *command], cwd=self.project, env=environment, text=True, check=False,
                              stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class SystemPackages(Machine):
    LISTED = "==> Missing on this machine:\n    frobnicator          turns knobs\n"

    def bootstrap(self, *groups):
        done = self.bash("scripts/bootstrap.sh", *groups)
        return done.returncode, done.stdout

    def test_nothing_missing_asks_apt_nothing(self):
        self.apt()
        self.program("frobnicate", "")
        self.assertEqual(self.bootstrap("build"), (0, ""))
        self.assertEqual(self.asked(), [])

    def test_root_installs_what_is_missing_and_what_speeds_up(self):
        self.apt()
        code, said = self.bootstrap("build")
        self.assertEqual(code, 0, said)
        self.assertTrue(said.startswith(self.LISTED), said)
        self.assertEqual(self.asked(), ["-q -o Dpkg::Use-Pty=0 update",
                                        "-q -o Dpkg::Use-Pty=0 install --yes --no-install-recommends frobnicator speeder"])

    def test_others_without_a_terminal_are_told_the_command(self):
        self.apt()
        self.user(1000)
        self.program("sudo", "exec \"$@\"")
        code, said = self.bootstrap("build")
        self.assertEqual(code, 2)
        self.assertTrue(said.startswith(self.LISTED), said)
        self.assertIn("apt-get install --no-install-recommends frobnicator speeder\n", said)
        self.assertEqual(self.asked(), [])

    def on_a_terminal(self, answer):
        """The user types the answer; what is printed is no terminal, so apt is asked as above."""
        self.apt()
        self.user(1000)
        self.program("sudo", f'echo "$*" >>{self.folder}/sudo; exec "$@"')
        try:
            keyboard, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine has no pseudo-terminals: {error}")
        try:
            os.write(keyboard, answer.encode())
            done = self.bash("scripts/bootstrap.sh", "build", stdin=terminal)
        finally:
            os.close(keyboard)
            os.close(terminal)
        self.assertTrue(done.stdout.startswith(self.LISTED), done.stdout)
        self.assertIn("Install them now with sudo apt-get? [Y/n] ", done.stdout)
        return done.returncode, done.stdout

    def test_others_on_a_terminal_are_asked(self):
        for answer in ("y\n", "\n"):
            with self.subTest(answer):
                code, said = self.on_a_terminal(answer)
                self.assertEqual(code, 0, said)
                self.assertEqual(self.asked(), [
                    "-q -o Dpkg::Use-Pty=0 update",
                    "-q -o Dpkg::Use-Pty=0 install --yes --no-install-recommends frobnicator speeder"])
                through_sudo = [f"env DEBIAN_FRONTEND=noninteractive apt-get {line}" for line in self.asked()]
                self.assertEqual((self.folder / "sudo").read_text().splitlines(), through_sudo)
                for made in (self.folder / "asked", self.folder / "sudo", self.bin / "frobnicate"):
                    made.unlink()

    def test_others_who_decline_are_told_the_command(self):
        code, said = self.on_a_terminal("n\n")
        self.assertEqual(code, 2)
        self.assertIn("apt-get install --no-install-recommends frobnicator speeder\n", said)
        self.assertEqual(self.asked(), [])
        self.assertFalse((self.folder / "sudo").exists())

    def test_without_apt_the_list_says_what_each_is_for(self):
        code, said = self.bootstrap("build", "lint")
        self.assertEqual(code, 2)
        self.assertTrue(said.startswith(self.LISTED + "    polisher             polishes\n"), said)
        self.assertIn("your system's package manager", said)

    def test_a_package_that_apt_does_not_bring_is_an_error(self):
        self.apt()
        code, said = self.bootstrap("lint")
        self.assertEqual(code, 2)
        self.assertIn("still missing after installing:\n    polisher", said)

    def test_a_failing_apt_shows_what_it_said(self):
        self.program("apt-get", "echo E: no such package; exit 100")
        code, said = self.bootstrap("build")
        self.assertEqual(code, 2)
        self.assertIn("E: no such package\n", said)


class WholeOrNothing(Machine):
    def install(self, fill):
        return self.bash("-c", f". scripts/lib/project.sh; . scripts/lib/python.sh; fill() {{ {fill}; }}; lock_deps; "
                               "install_whole requirements/some.txt \"$DEPS/thing\" fill")

    def left(self):
        return sorted(path.name for path in self.deps.iterdir() if path.name != "lock")

    def test_a_finished_install_is_there_under_its_name(self):
        done = self.install('echo whole >"$2/file"')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.left(), ["thing"])
        self.assertEqual((self.deps / "thing/file").read_text(), "whole\n")
        self.assertEqual((self.deps / "thing/requirements.txt").read_text(), "some==1\n")

    def test_a_failed_one_leaves_nothing_and_says_so(self):
        done = self.install('echo half >"$2/file"; return 1')
        self.assertEqual(done.returncode, 2)
        self.assertIn("could not fetch the packages of requirements/some.txt", done.stdout)
        self.assertEqual(self.left(), [])

    def test_a_failed_one_keeps_the_old(self):
        self.install('echo old >"$2/file"')
        self.install("false")
        self.assertEqual(self.left(), ["thing"])
        self.assertEqual((self.deps / "thing/file").read_text(), "old\n")

    def test_a_killed_one_is_cleared_away_by_the_next(self):
        self.install('echo half >"$2/file"; kill -9 $$')
        self.assertEqual(len(self.left()), 2)
        self.install('echo whole >"$2/file"')
        self.assertEqual(self.left(), ["thing"])
        self.assertEqual((self.deps / "thing/file").read_text(), "whole\n")


if __name__ == "__main__":
    unittest.main()
