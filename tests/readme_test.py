#!/usr/bin/env python3
"""Every ```sh block that the README and the docs show for users works as written, in this order.

The quickstart has a test of its own, because its commands need its files."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CMBO = pathlib.Path(os.environ["CMBO"])


def blocks(path):
    """The ```sh blocks that use the program."""
    found = re.findall(r"^```sh\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)
    return [block for block in found if "cmbo " in block]


class ReadmeTest(unittest.TestCase):
    def test_commands_work(self):
        found = 0
        with tempfile.TemporaryDirectory() as directory:
            for name in ("data", "models"):
                (pathlib.Path(directory) / name).symlink_to(ROOT / name)
            environment = {**os.environ, "PATH": f"{CMBO.parent}:{os.environ['PATH']}"}
            documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
            documents.remove(ROOT / "docs" / "quickstart.md")
            for path in documents:
                for block in blocks(path):
                    found += 1
                    with self.subTest(f"{path.name}: {block}"):
                        run = subprocess.run(["bash", "-euc", block], cwd=directory,
                                             env=environment, capture_output=True, text=True,
                                             check=False)
                        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(found, 3, "the README shows commands")


if __name__ == "__main__":
    unittest.main()
