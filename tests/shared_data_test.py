#!/usr/bin/env python3
"""The recorded collections beside the checkout (../shared/data): read, described, imported, drawn.

Skips with a message where they are absent; everything important is tested without them.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

CMBO = os.environ["CMBO"]
DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "data"

# folder: tasks, curves, normalization
EXPECTED = {
    "taskset": (9, 9000, {"taskset"}),
    "lcbench_surrogate": (29, 58000, {"accuracy"}),
    "arlbench": (21, 5376, {"accuracy", "estimated"}),
    "baker": (4, 3760, {"accuracy"}),
    "deepobs": (8, 864, {"accuracy", "taskset"}),
}


def cmbo(*arguments):
    return subprocess.run([CMBO, *map(str, arguments)], capture_output=True, text=True,
                          check=True, timeout=120).stdout


@unittest.skipUnless(DATA.is_dir(), f"no recorded curves at {DATA.name}; see tests/shared_data_test.py")
class SharedDataTest(unittest.TestCase):
    def test_every_collection_is_described(self):
        for folder, (tasks, curves, normalizations) in EXPECTED.items():
            with self.subTest(folder):
                found = json.loads(cmbo("curves", "describe", DATA / folder, "--json"))["tasks"]
                self.assertEqual(len(found), tasks)
                self.assertEqual(sum(t["configurations"] for t in found), curves)
                self.assertEqual({t["normalization"] for t in found}, normalizations)

    def test_import_is_lossless(self):
        with tempfile.TemporaryDirectory() as directory:
            cmbo("curves", "import", DATA / "arlbench", "--out", directory)
            before = json.loads(cmbo("curves", "describe", DATA / "arlbench", "--json"))
            after = json.loads(cmbo("curves", "describe", directory, "--json"))
            self.assertEqual(before, after)

    def test_two_thousand_curves_are_drawn(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "curves.svg"
            cmbo("curves", "plot", DATA / "lcbench_surrogate", "--tasks", "car", "--out", path)
            self.assertLess(path.stat().st_size, 2_000_000)


if __name__ == "__main__":
    unittest.main()
