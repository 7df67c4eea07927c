#!/usr/bin/env python3
"""The commands that look at a study or steer it, on one that `cmbo tune` has run."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

CMBO = os.environ["CMBO"]

# Better with lr near 0.1; diverges with a large one. Goes on from its checkpoint.
TRAIN = """
import json, math, os, sys, time
params = json.load(open(os.environ["CMBO_PARAMS"]))
for step in range(int(os.environ["CMBO_START_STEP"]) + 1, int(os.environ["CMBO_TARGET_STEP"]) + 1):
    time.sleep(float(sys.argv[1]))
    value = (1 - 0.2 * abs(math.log10(params["lr"]) + 1)) * (1 - math.exp(-0.5 * step))
    with open(os.path.join(os.environ["CMBO_CHECKPOINT_DIR"], "state"), "w") as file:
        file.write("x" * 1000)
    print("@cmbo", json.dumps({"step": step, "val_acc": value if params["lr"] < 0.9 else float("nan")}))
"""

STUDY = """
command: python3 train.py {pause}
metric: {{name: val_acc, goal: maximize, range: [0, 1]}}
fidelity: {{name: epoch, max: 6}}
parameters:
  lr: {{type: float, low: 1e-4, high: 1, log: true, default: 0.001}}
  optimizer: {{type: categorical, choices: [sgd, adam], default: sgd}}
utility: {{alpha: 1e-3}}
limits: {{epochs: {epochs}}}
pool: 30
"""


def cmbo(*arguments, directory):
    """Runs the program to its end."""
    return subprocess.run([CMBO, *map(str, arguments)], cwd=directory, capture_output=True,
                          text=True, check=False, timeout=300)


def make_study(directory, pause, epochs):
    """The files of a study."""
    (directory / "train.py").write_text(TRAIN, encoding="utf-8")
    (directory / "toy.yaml").write_text(STUDY.format(pause=pause, epochs=epochs), encoding="utf-8")


class FinishedStudyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.temporary.name)
        make_study(cls.dir, pause=0, epochs=10)
        run = cmbo("tune", "toy.yaml", directory=cls.dir)
        assert run.returncode in (0, 3), run.stdout + run.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def ok(self, *arguments, code=0):
        """What it printed, having ended with `code`."""
        run = cmbo(*arguments, directory=self.dir)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def json(self, *arguments, code=0):
        """The same as JSON."""
        return json.loads(self.ok(*arguments, "--json", code=code))

    def test_status(self):
        status = self.json("status", "toy.yaml")
        self.assertEqual(status["state"], "stopped")
        self.assertIn("10 epochs", status["reason"])
        self.assertEqual(status["epochs"], 10)
        self.assertIsNone(status["driver"])
        text = self.ok("status", "toy.yaml")
        self.assertIn("stopped", text)
        self.assertIn("10 epochs", text)

    def test_a_study_is_named_by_its_directory_too(self):
        self.assertEqual(self.json("status", "toy.cmbo"), self.json("status", "toy.yaml"))

    def test_trials_and_best_agree(self):
        trials = self.json("trials", "toy.yaml")
        best = self.json("best", "toy.yaml")
        self.assertEqual(trials[0]["trial"], best["trial"])
        self.assertEqual(trials[0]["best"], best["value"])
        self.assertEqual(sum(trial["steps"] for trial in trials), 10)
        self.assertEqual(len(self.json("trials", "toy.yaml", "--all")), 30)
        self.assertEqual(len(self.json("trials", "toy.yaml", "--top", 1)), 1)
        self.assertIn("best val_acc", self.ok("trials", "toy.yaml"))
        self.assertIn("lr: ", self.ok("best", "toy.yaml"))

    def test_best_checkpoint_is_where_the_training_put_it(self):
        path = pathlib.Path(self.ok("best", "toy.yaml", "--checkpoint").strip())
        self.assertTrue((self.dir / path / "state").exists())

    def test_show(self):
        best = self.json("best", "toy.yaml")
        shown = self.json("show", "toy.yaml", best["trial"])
        self.assertEqual(max(shown["curve"]), best["value"])
        if shown["state"] == "frozen":
            self.assertEqual(len(shown["forecast"]["quantiles"]), 6 - shown["steps"])
        self.assertIn("values", self.ok("show", "toy.yaml", best["trial"], "--no-forecast"))
        run = cmbo("show", "toy.yaml", 4711, directory=self.dir)
        self.assertEqual(run.returncode, 1)
        self.assertIn("no trial 4711", run.stderr)

    def test_why(self):
        self.assertTrue(self.json("why", "toy.yaml")[0]["stop"])
        first = self.json("why", "toy.yaml", 0)
        self.assertIn("default", first[0]["reason"])
        self.assertIn("default", self.ok("why", "toy.yaml", 0))

    def test_nobody_is_there_to_steer(self):
        for verb in ("pause", "resume", "stop"):
            self.assertFalse(self.json(verb, "toy.yaml", code=3)["done"])

    def test_enqueue(self):
        queued = self.json("enqueue", "toy.yaml", "lr=0.123")
        self.assertEqual(queued[0]["parameters"], {"lr": 0.123, "optimizer": "sgd"})
        self.assertTrue(queued[0]["queued"])
        two = self.json("enqueue", "toy.yaml", '{"lr": 0.124}', '{"lr": 0.125}')
        self.assertEqual(len(two), 2)
        known = self.json("enqueue", "toy.yaml", '{"lr": 0.001, "optimizer": "sgd"}', code=3)
        self.assertEqual(known[0]["trial"], 0)
        self.assertEqual(cmbo("enqueue", "toy.yaml", "rl=1", directory=self.dir).returncode, 1)

    def test_export_csv(self):
        best = self.json("best", "toy.yaml")
        rows = list(csv.DictReader(self.ok("export", "toy.yaml").splitlines()))
        row = next(row for row in rows if row["trial"] == str(best["trial"]))
        self.assertEqual(float(row["best"]), best["value"])
        steps = list(csv.DictReader(self.ok("export", "toy.yaml", "--steps").splitlines()))
        self.assertEqual(len(steps), 10)

    def test_export_json(self):
        study = json.loads(self.ok("export", "toy.yaml", "--format", "json"))
        self.assertEqual(sum(len(trial["curve"]) for trial in study["trials"]), 10)

    def test_export_curves(self):
        written = self.json("export", "toy.yaml", "--format", "curves", "--out", "toy.jsonl")
        self.assertEqual(written["format"], "curves")
        described = self.json("curves", "describe", "toy.jsonl")
        self.assertIn("toy", json.dumps(described))

    def test_export_optuna(self):
        self.ok("export", "toy.yaml", "--format", "optuna", "--out", "optuna.log")
        journal = (self.dir / "optuna.log").read_text(encoding="utf-8")
        lines = [json.loads(line) for line in journal.splitlines()]
        best = self.json("best", "toy.yaml")["value"]
        self.assertEqual(max(line.get("value") or 0 for line in lines[1:]), best)
        try:
            from optuna import load_study  # pylint: disable=import-outside-toplevel
            from optuna.storages import JournalStorage  # pylint: disable=import-outside-toplevel
            from optuna.storages.journal import JournalFileBackend  # pylint: disable=import-outside-toplevel
        except ImportError:
            return
        storage = JournalStorage(JournalFileBackend(str(self.dir / "optuna.log")))
        self.assertEqual(load_study(study_name="toy", storage=storage).best_value, best)

    def test_forecast(self):
        forecast = self.json("forecast", "toy.yaml")["tasks"][0]
        self.assertEqual(forecast["last_epoch"], 6)
        for curve in forecast["curves"]:
            self.assertEqual(len(curve["quantiles"]), 6 - curve["observed"])
        self.assertEqual(cmbo("forecast", directory=self.dir).returncode, 2)

    def test_plot(self):
        pictures = self.json("plot", "toy.yaml", "--out", "pictures")["pictures"]
        self.assertEqual(len(pictures), 2)
        for picture in pictures:
            xml.etree.ElementTree.parse(self.dir / picture)

    def test_gc_spares_the_best(self):
        best = self.json("best", "toy.yaml")["trial"]
        plan = self.json("gc", "toy.yaml", "--dry-run", "--quota", "0 B")
        self.assertGreater(len(plan["evictions"]), 0)
        self.assertNotIn(best, [eviction["trial"] for eviction in plan["evictions"]])
        self.assertTrue((self.dir / "toy.cmbo" / "trials" / "0").is_dir())
        self.assertEqual(self.json("gc", "toy.yaml", "--quota", "1 GB", code=3)["evictions"], [])
        self.assertEqual(cmbo("gc", "toy.yaml", directory=self.dir).returncode, 1)

    def test_utility_preview(self):
        preview = self.json("utility", "preview", "toy.yaml", "--tasks", 0, "--plot", "worth.svg")
        middle = preview["exchanges"][4]
        self.assertEqual(middle["cost"], 10)
        self.assertAlmostEqual(middle["gain"], 0.01, delta=0.003)
        xml.etree.ElementTree.parse(self.dir / "worth.svg")
        self.assertIn("you would pay 10 epochs for +0.01",
                      self.ok("utility", "preview", "toy.yaml", "--tasks", 0))

    def test_mistakes(self):
        self.assertEqual(cmbo("status", directory=self.dir).returncode, 2)
        self.assertEqual(cmbo("status", "nothing.yaml", directory=self.dir).returncode, 1)
        self.assertEqual(cmbo("export", "toy.yaml", "--format", "xml", directory=self.dir).returncode, 2)


class GarbageTest(unittest.TestCase):
    def test_gc_drops_what_cannot_go_on(self):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            make_study(directory, pause=0, epochs=8)
            cmbo("tune", "toy.yaml", directory=directory)
            run = cmbo("gc", "toy.yaml", "--quota", "0 B", "--json", directory=directory)
            self.assertEqual(run.returncode, 0, run.stderr)
            gone = json.loads(run.stdout)["evictions"]
            trials = json.loads(cmbo("trials", "toy.yaml", "--json", directory=directory).stdout)
            states = {trial["trial"]: trial["state"] for trial in trials}
            self.assertGreater(len(gone), 0)
            for eviction in gone:
                checkpoint = directory / "toy.cmbo" / "trials" / str(eviction["trial"]) / "checkpoint"
                self.assertFalse(checkpoint.exists())
                if eviction["drops_trial"]:
                    self.assertEqual(states[eviction["trial"]], "dropped")


class RunningStudyTest(unittest.TestCase):
    def wait_for(self, directory, state):
        """Until `status` says so."""
        for _ in range(300):
            run = cmbo("status", "toy.yaml", "--json", directory=directory)
            if run.returncode == 0 and json.loads(run.stdout)["state"] == state:
                return json.loads(run.stdout)
            time.sleep(0.1)
        self.fail(f"it never was {state}: {run.stdout}{run.stderr}")

    def test_pause_resume_stop(self):
        with tempfile.TemporaryDirectory() as name:
            directory = pathlib.Path(name)
            make_study(directory, pause=0.05, epochs=100)
            with subprocess.Popen([CMBO, "tune", "toy.yaml"], cwd=directory,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as tune:
                self.assertIsNotNone(self.wait_for(directory, "running")["driver"])
                self.assertEqual(cmbo("pause", "toy.yaml", directory=directory).returncode, 0)
                self.wait_for(directory, "paused")
                gc = cmbo("gc", "toy.yaml", "--quota", "0 B", directory=directory)
                self.assertIn(gc.returncode, (3, 75))  # nothing there yet, or somebody runs it
                self.assertEqual(cmbo("resume", "toy.yaml", directory=directory).returncode, 0)
                self.wait_for(directory, "running")
                self.assertEqual(cmbo("stop", "toy.yaml", directory=directory).returncode, 0)
                self.assertIn(tune.wait(timeout=60), (0, 3))
            status = self.wait_for(directory, "stopped")
            self.assertIn("you asked for it", status["reason"])


if __name__ == "__main__":
    unittest.main()
