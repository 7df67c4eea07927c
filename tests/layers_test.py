#!/usr/bin/env python3
"""scripts/check-layers accepts this tree and refuses one with a forbidden include, cycle or path."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def check(root):
    """Exit code and complaints of the checker on the tree at `root`."""
    run = subprocess.run([sys.executable, ROOT / "scripts" / "check-layers", root],
                         capture_output=True, text=True, check=False)
    return run.returncode, run.stderr


def tree(layers, files):
    """A throw-away source tree."""
    directory = tempfile.TemporaryDirectory()
    source = pathlib.Path(directory.name) / "src"
    for name, text in {"layers.txt": layers, **files}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    return directory


class LayersTest(unittest.TestCase):
    LAYERS = "base:\nspace: base\ncurves: base\n"
    FILES = {"base/a.h": "", "space/s.h": '#include "base/a.h"\n', "curves/c.h": ""}

    def test_this_tree_is_clean(self):
        self.assertEqual(check(ROOT), (0, ""))

    def test_a_clean_tree_passes(self):
        with tree(self.LAYERS, self.FILES) as root:
            self.assertEqual(check(root), (0, ""))

    def test_a_forbidden_include_is_named(self):
        files = {**self.FILES, "curves/c.cpp": '#include "base/a.h"\n#include "space/s.h"\n'}
        with tree(self.LAYERS, files) as root:
            code, complaint = check(root)
        self.assertEqual(code, 1)
        self.assertIn("curves/c.cpp:2: curves may not use space", complaint)

    def test_an_upward_include_is_forbidden(self):
        files = {**self.FILES, "base/b.cpp": '#  include "curves/c.h"\n'}
        with tree(self.LAYERS, files) as root:
            self.assertIn("base may not use curves", check(root)[1])

    def test_a_cycle_in_the_table_is_refused(self):
        with tree("base: curves\nspace: base\ncurves: base\n", self.FILES) as root:
            self.assertIn("base uses curves, which is not above it", check(root)[1])

    def test_a_folder_needs_a_line(self):
        with tree(self.LAYERS, {**self.FILES, "new/n.h": ""}) as root:
            self.assertIn("no line in src/layers.txt", check(root)[1])

    def test_includes_start_at_src(self):
        with tree(self.LAYERS, {**self.FILES, "space/t.h": '#include "s.h"\n'}) as root:
            self.assertIn("not a path from src/", check(root)[1])


if __name__ == "__main__":
    unittest.main()
