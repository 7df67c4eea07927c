#!/usr/bin/env python3
"""docs/quickstart.md as a newcomer follows it: its files are written and its commands work, in their order."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMBO = pathlib.Path(os.environ["CMBO"])
TEXT = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")


def blocks(language):
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def write_files(directory):
    """The blocks that begin with the name of their file."""
    for block in blocks("python") + blocks("yaml"):
        name = re.match(r"# (\S+)\n", block).group(1)
        (directory / name).write_text(block, encoding="utf-8")
    shutil.copy(ROOT / "python" / "cmbo.py", directory)


class QuickstartTest(unittest.TestCase):
    def test_at_most_three_lines_are_new(self):
        script = blocks("python")[0]
        self.assertEqual(len(re.findall(r"# new", script)), 3)
        self.assertEqual(sum("cmbo" in line for line in script.splitlines()), 3)

    def test_the_script_works_without_cmbo(self):
        with tempfile.TemporaryDirectory() as name:
            write_files(pathlib.Path(name))
            run = subprocess.run(["python3", "train.py"], cwd=name, capture_output=True, text=True,
                                 check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(run.stdout.count("@cmbo"), 20)

    def test_commands_work(self):
        with tempfile.TemporaryDirectory() as name:
            write_files(pathlib.Path(name))
            environment = {**os.environ, "PATH": f"{CMBO.parent}:{os.environ['PATH']}"}
            commands = [line for block in blocks("sh") for line in block.splitlines()]
            self.assertGreater(len(commands), 8)
            for command in commands:
                with self.subTest(command):
                    run = subprocess.run(["bash", "-euc", command], cwd=name, env=environment,
                                         capture_output=True, text=True, check=False)
                    self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
