#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Both trainers as cmbo starts them: slices, thaws, SIGTERM, a process that stays."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TRAINERS = {"C++": [os.environ["CMBO_DIGITS"]], "Python": [sys.executable, HERE / "train.py"]}
PARAMS = {"learning_rate": 0.05, "momentum": 0.9, "weight_decay": 1e-4, "width": 8, "batch_size": 64}


class SlicesTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def environment(self, trial, start, target, **more):
        folder = pathlib.Path(self.directory.name) / trial
        folder.mkdir(exist_ok=True)
        params = folder / "params.json"
        params.write_text(json.dumps(PARAMS))
        values = {"PARAMS": params, "CHECKPOINT_DIR": folder, "START_STEP": start,
                  "TARGET_STEP": target, "MAX_STEP": 6, "SEED": 3, **more}
        return {**os.environ, **{f"CMBO_{name}": str(value) for name, value in values.items()}}

    def train(self, command, trial, start, target, flags=()):
        done = subprocess.run([*command, *flags], env=self.environment(trial, start, target),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertTrue(all(line.startswith("@cmbo {") for line in lines), done.stdout)
        return [json.loads(line.removeprefix("@cmbo ")) for line in lines]

    def test_two_epochs_at_once_are_one_and_one(self):
        for name, command in TRAINERS.items():
            with self.subTest(name):
                whole = self.train(command, name, 0, 2)
                self.assertEqual([report["step"] for report in whole][-2:], [1, 2])
                parts = self.train(command, name + "2", 0, 1)
                parts += self.train(command, name + "2", 1, 2)
                self.assertEqual(parts, whole)
                self.assertGreater(whole[-1]["val_acc"], 0.5)

    def test_divergence_is_nan(self):
        for name, command in TRAINERS.items():
            with self.subTest(name):
                flags = ["--learning_rate", "1000"] + (["--depth", "4"] if name == "C++" else [])
                flags += ["--weight_decay", "1"]
                last = self.train(command, name, 0, 1, flags)[-1]
                self.assertNotEqual(last["val_acc"], last["val_acc"])

    def test_after_sigterm_it_goes_on_where_it_was(self):
        for name, command in TRAINERS.items():
            with self.subTest(name):
                environment = self.environment(name, 0, 6000, MAX_STEP=6000)
                with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                      text=True) as process:
                    lines = [process.stdout.readline()]
                    process.send_signal(signal.SIGTERM)
                    lines += process.stdout.read().splitlines()
                    self.assertEqual(process.wait(), 75)
                last = json.loads(lines[-1].removeprefix("@cmbo "))["step"]
                self.assertLess(last, 6000)
                environment = self.environment(name, last, last + 1, MAX_STEP=6000)
                next_line = subprocess.check_output(command, env=environment, text=True)
                self.assertIn(f'"step":{last + 1},', next_line.replace(" ", ""))

    def test_a_process_that_stays_trains_the_same(self):
        command = TRAINERS["C++"]
        whole = self.train(command, "whole", 0, 3)
        environment = self.environment("resident", 0, 1, RESIDENT=1)
        with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, text=True,
                              stdout=subprocess.PIPE) as process:
            lines = [process.stdout.readline() for _ in range(2)]
            process.stdin.write('{"target_step": 3}\n')
            process.stdin.flush()
            lines += [process.stdout.readline() for _ in range(2)]
            process.stdin.close()
            self.assertEqual(process.wait(), 0)
        self.assertEqual([json.loads(line.removeprefix("@cmbo ")) for line in lines], whole)

    def test_a_damaged_checkpoint_is_named(self):
        command = TRAINERS["C++"]
        self.train(command, "trial", 0, 1)
        (pathlib.Path(self.directory.name) / "trial" / "digits.ckpt").write_bytes(b"x" * 100)
        done = subprocess.run(command, env=self.environment("trial", 1, 2), capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("digits.ckpt: damaged; remove it", done.stderr)

    def test_trains_alone(self):
        clean = {name: value for name, value in os.environ.items() if name == "PATH"}
        done = subprocess.run([*TRAINERS["C++"], "--width", "8"], env=clean, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 51)
        self.assertIn("epoch  50 of 50: accuracy 0.", done.stdout)


if __name__ == "__main__":
    unittest.main()
