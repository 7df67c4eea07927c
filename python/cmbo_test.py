# SPDX-License-Identifier: Apache-2.0
"""The client as scripts use it, in processes of their own."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

SCRIPT = """
import cmbo
for epoch in cmbo.steps(4):
    cmbo.report(epoch, val_acc=epoch / 8)
print("end", cmbo.seed(5), cmbo.max_step(9), cmbo.params(lr=1, width=2))
"""


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def run_script(self, script=SCRIPT, stdin="", **variables):
        """What the script prints, line by line."""
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("CMBO")}
        environment.update(PYTHONPATH=str(HERE), **variables)
        run = subprocess.run([sys.executable, "-c", script], input=stdin, env=environment, text=True,
                             capture_output=True, check=False, cwd=self.directory.name)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.splitlines()

    def slice(self, start, target, **more):
        path = pathlib.Path(self.directory.name) / "params.json"
        path.write_text('{"lr": 0.5}')
        return dict(CMBO_START_STEP=str(start), CMBO_TARGET_STEP=str(target), CMBO_MAX_STEP="50",
                    CMBO_SEED="7", CMBO_PARAMS=str(path), **more)

    def reported(self, lines):
        return [json.loads(line.removeprefix("@cmbo ")) for line in lines if line[0] == "@"]

    def test_alone_all_steps_are_trained(self):
        lines = self.run_script()
        self.assertEqual([report["step"] for report in self.reported(lines)], [1, 2, 3, 4])
        self.assertEqual(lines[-1], "end 5 9 {'lr': 1, 'width': 2}")

    def test_a_slice(self):
        lines = self.run_script(**self.slice(2, 3))
        self.assertEqual(self.reported(lines), [{"step": 3, "val_acc": 0.375}])
        self.assertEqual(lines[-1], "end 7 50 {'lr': 0.5, 'width': 2}")

    def test_resident(self):
        lines = self.run_script(stdin='{"target_step": 2}\n{"target_step": 5}\n',
                                **self.slice(0, 1, CMBO_RESIDENT="1"))
        self.assertEqual([report["step"] for report in self.reported(lines)], [1, 2, 3, 4, 5])
        self.assertTrue(lines[-1].startswith("end"))

    def test_values_that_are_not_finite(self):
        lines = self.run_script("import cmbo; cmbo.report(1, loss=float('nan'), x=float('-inf'))")
        self.assertEqual(lines, ['@cmbo {"step": 1, "loss": NaN, "x": -Infinity}'])

    def test_the_checkpoint_directory_exists(self):
        script = "import cmbo, os; print(os.path.isdir(cmbo.checkpoint_dir()))"
        self.assertEqual(self.run_script(script), ["True"])
        self.assertEqual(self.run_script(script, CMBO_CHECKPOINT_DIR="deep/er"), ["True"])


if __name__ == "__main__":
    unittest.main()
