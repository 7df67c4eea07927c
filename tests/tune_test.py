#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Studies as a user runs them: from `init` to `finish`, with everything that goes wrong between."""
import csv
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

CMBO = os.environ["CMBO"]

STUDY = {
    "command": "sh train.sh {x}",
    "metric": {"name": "acc", "goal": "maximize", "range": [0, 1]},
    "fidelity": {"max": 10},
    "parameters": {"x": {"type": "float", "low": 0, "high": 1}},
    "utility": {"alpha": 0.002},
    "pool": 20,
    "limits": {"workers": 2},
}

# A curve that rises to 0.9 where x is 0.3.
TRAINING = """
step=$CMBO_START_STEP
while [ "$step" -lt "$CMBO_TARGET_STEP" ]; do
  step=$((step + 1))
  sleep ${PACE:-0.005}
  echo $step > "$CMBO_CHECKPOINT_DIR/step"
  awk -v s=$step -v x=$1 \
    'BEGIN { printf "@cmbo {\\"step\\":%d,\\"acc\\":%.5f}\\n", s, (0.9 - (x - 0.3)^2) * (1 - exp(-s / 3)) }'
done
"""

RESIDENT = """
import json, os, pathlib, sys
step, target = int(os.environ["CMBO_START_STEP"]), int(os.environ["CMBO_TARGET_STEP"])
while True:
    while step < target:
        step += 1
        pathlib.Path(os.environ["CMBO_CHECKPOINT_DIR"], "step").write_text(str(step))
        print("@cmbo", json.dumps({"step": step, "acc": 1 - 1 / (1 + step)}), flush=True)
    line = sys.stdin.readline() if os.environ.get("CMBO_RESIDENT") == "1" else ""
    if not line:
        break
    target = json.loads(line)["target_step"]
"""


class TuneTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = pathlib.Path(directory.name)
        self.study()
        self.script(TRAINING)

    def study(self, **changes):
        # JSON is YAML too.
        (self.dir / "study.yaml").write_text(json.dumps({**STUDY, **changes}))

    def script(self, text, name="train.sh"):
        (self.dir / name).write_text(text)

    def cmbo(self, *arguments, code=0, **environment):
        run = subprocess.run([CMBO, *arguments], cwd=self.dir, capture_output=True, text=True,
                             check=False, timeout=120, env={**os.environ, **environment})
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def start(self, *arguments, **environment):
        return subprocess.Popen([CMBO, *arguments], cwd=self.dir, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **environment})

    def wait_for_epochs(self, count):
        for _ in range(3000):
            try:
                if len(self.rows("SELECT id FROM observations")) >= count:
                    return
            except sqlite3.OperationalError:
                pass  # not there yet
            time.sleep(0.02)
        self.fail("no epoch in a minute")

    def rows(self, sql):
        database = sqlite3.connect(self.dir / "study.cmbo" / "study.db")
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def trainings(self):
        """The processes that report to this study."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if f"CMBO_REPORT={self.dir}".encode() in path.read_bytes():
                    found.append(path.parent.name)
            except OSError:
                pass  # gone, or somebody else's
        return found

    def states(self):
        return dict(self.rows("SELECT number, state FROM trials WHERE state != 'new'"))

    def assert_contiguous(self):
        steps = {}
        for trial, step in self.rows("SELECT trial, step FROM observations ORDER BY id"):
            self.assertEqual(step, steps.get(trial, 0) + 1)
            steps[trial] = step
        return sum(steps.values())

    def test_runs_until_it_stops_and_says_why(self):
        run = self.cmbo("tune")
        self.assertIn("Stopped: no configuration is worth another look", run.stdout)
        self.assertIn("not worth it", run.stdout)
        self.assertRegex(self.cmbo("why", "study.yaml").stdout, r"; a look is worth \S+ and costs \S+\n")
        receipt = json.loads((self.dir / "study.cmbo" / "stop.json").read_text())
        self.assertGreater(receipt["best"]["value"], 0.7)
        self.assertEqual(len(receipt["rejected"]), 5)
        self.assertLess(receipt["would_go_on"]["alpha"], 0.002)
        self.assertEqual(receipt["epochs"], self.assert_contiguous())
        with open(self.dir / "study.cmbo" / "summary" / "epochs.csv", encoding="utf-8") as file:
            self.assertEqual(len(list(csv.DictReader(file))), receipt["epochs"])
        with open(self.dir / "study.cmbo" / "summary" / "trials.csv", encoding="utf-8") as file:
            best = max(csv.DictReader(file), key=lambda row: float(row["best"]))
        self.assertEqual(int(best["trial"]), receipt["best"]["trial"])
        self.assertAlmostEqual(float(best["x"]), receipt["best"]["parameters"]["x"])

    def test_goes_on_after_a_stop_only_if_something_changed(self):
        before = json.loads(self.cmbo("tune", "--json").stdout)
        run = self.cmbo("tune", code=3)
        self.assertIn("has stopped before", run.stdout)
        self.assertIn("stop.json", run.stdout)
        self.study(utility={"alpha": 0.0002})
        after = json.loads(self.cmbo("tune", "--json").stdout)
        self.assertGreater(after["epochs"], before["epochs"])
        self.assertEqual(after["epochs"], self.assert_contiguous())

    def test_limits_hold_over_restarts(self):
        self.study(limits={"epochs": 7}, utility={"alpha": 0})
        run = self.cmbo("tune")
        self.assertIn("7", run.stdout)
        self.cmbo("tune", code=3)
        self.study(limits={"epochs": 9}, utility={"alpha": 0})
        self.cmbo("tune")
        self.assertEqual(self.assert_contiguous(), 9)

    def test_control_c_freezes_and_the_same_command_goes_on(self):
        self.study(utility={"alpha": 0}, limits={"workers": 2, "epochs": 60})
        with self.start("tune", PACE="0.05") as process:
            self.wait_for_epochs(3)
            while not self.trainings():
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (75, ""))
        self.assertIn("'cmbo tune study.yaml' goes on", out)
        self.assertEqual(self.rows("SELECT id FROM slices WHERE outcome IS NULL"), [])
        self.assertNotIn("failed", self.states().values())
        self.assertEqual(self.trainings(), [])
        self.cmbo("tune")
        self.assertEqual(self.assert_contiguous(), 60)

    def wish(self, what):
        database = sqlite3.connect(self.dir / "study.cmbo" / "study.db", timeout=30)
        with database:
            database.execute("REPLACE INTO wish (id, wish) VALUES (1, ?)", (what,))
        database.close()

    def test_others_may_pause_and_stop_it(self):
        self.study(utility={"alpha": 0}, limits={"workers": 2, "epochs": 40})
        with self.start("tune", PACE="0.02") as process:
            self.wait_for_epochs(3)
            self.wish("pause")
            while self.rows("SELECT state FROM study") != [("paused",)]:
                time.sleep(0.02)
            while self.rows("SELECT id FROM slices WHERE outcome IS NULL"):
                time.sleep(0.02)
            paused_at = self.assert_contiguous()
            time.sleep(0.6)
            self.assertEqual(self.assert_contiguous(), paused_at)
            self.wish("run")
            self.wait_for_epochs(paused_at + 1)
            self.wish("stop")
            out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("you asked for it", out)
        self.assertEqual(self.rows("SELECT id FROM slices WHERE outcome IS NULL"), [])
        self.cmbo("tune")  # it was only asked to stop, so it goes on
        self.assertEqual(self.assert_contiguous(), 40)

    def test_two_at_once_are_one_too_many(self):
        with self.start("tune", PACE="0.2") as process:
            self.wait_for_epochs(1)
            run = self.cmbo("tune", code=75)
            self.assertIn("runs this study already", run.stderr)
            self.assertIn(f"process {process.pid}", run.stderr)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75)

    def test_a_script_that_always_fails_ends_the_study_early(self):
        self.script("echo 'no such data set' >&2; exit 1")
        run = self.cmbo("tune", code=1)
        self.assertIn("all failed", run.stdout)
        self.assertIn("no such data set", run.stdout)
        self.assertLessEqual(len(self.states()), 5)
        self.script(TRAINING)  # repaired
        self.cmbo("tune")
        self.assertNotIn("failed", self.states().values())

    def test_one_that_fails_or_diverges_does_not(self):
        self.script('[ "$CMBO_TRIAL" = 0 ] && exit 3\n'
                    '[ "$CMBO_TRIAL" = 8 ] && { echo "@cmbo {\\"step\\":1,\\"acc\\":NaN}"; exit 0; }\n'
                    + TRAINING)
        self.study(utility={"alpha": 0}, pool=10)
        self.cmbo("tune")
        states = self.states()
        self.assertEqual(states.pop(0), "failed")
        self.assertEqual(states.pop(8), "diverged")
        self.assertEqual(set(states.values()), {"done"})

    def test_a_process_that_stays(self):
        self.script(RESIDENT, "train.py")
        self.study(command=f"{sys.executable} train.py", mode="resident", utility={"alpha": 0},
                   pool=4)
        self.cmbo("tune")
        self.assertEqual(self.assert_contiguous(), 40)

    def test_workers_get_different_gpus(self):
        self.script('echo "$CUDA_VISIBLE_DEVICES" >> gpus.log\n' + TRAINING)
        self.study(gpus=["3", "7"], utility={"alpha": 0}, pool=4)
        self.cmbo("tune")
        self.assertEqual(set((self.dir / "gpus.log").read_text().split()), {"3", "7"})

    def test_checkpoints_stay_below_the_quota(self):
        self.script("head -c 100000 /dev/zero > $CMBO_CHECKPOINT_DIR/weights\n" + TRAINING)
        self.study(limits={"disk": "350 kB"}, utility={"alpha": 0}, pool=8)
        best = json.loads(self.cmbo("tune", "--json").stdout)["best"]["trial"]
        kept = {path.parent.parent.name for path in self.dir.glob("study.cmbo/trials/*/checkpoint/weights")}
        self.assertLessEqual(len(kept), 3)
        self.assertIn(str(best), kept)

    def test_a_checkpoint_that_vanished_drops_its_trial(self):
        self.study(utility={"alpha": 0}, limits={"epochs": 5}, pool=3)
        self.cmbo("tune")
        frozen = [trial for trial, state in self.states().items() if state == "frozen"]
        self.assertTrue(frozen)
        shutil.rmtree(self.dir / "study.cmbo" / "trials" / str(frozen[0]) / "checkpoint")
        self.study(utility={"alpha": 0}, pool=3)
        self.cmbo("tune")
        states = self.states()
        self.assertEqual(states.pop(frozen[0]), "dropped")
        self.assertEqual(set(states.values()), {"done"})

    def test_finish_trains_the_best_to_the_end(self):
        self.study(limits={"epochs": 4})
        self.cmbo("tune")
        run = self.cmbo("finish")
        self.assertIn("is done", run.stdout)
        self.assertIn("checkpoint", run.stdout)
        self.assertIn("done", self.states().values())
        self.cmbo("finish", code=3)
        self.cmbo("tune", code=3)  # has stopped as before
        self.assertIn("no trial 99", self.cmbo("finish", "--trial", "99", code=1).stderr)

    def test_init_and_check(self):
        (self.dir / "study.yaml").unlink()
        self.assertIn("cmbo init", self.cmbo("tune", code=1).stderr)
        self.cmbo("init", "--command", "sh train.sh {lr}")
        self.assertIn("stays as it is", self.cmbo("init", code=1).stderr)
        text = (self.dir / "study.yaml").read_text()
        (self.dir / "study.yaml").write_text(text.replace("val_acc", "acc"))
        self.assertIn("The script resumes", self.cmbo("check").stdout)
        self.assertFalse((self.dir / "study.cmbo").exists())
        self.script(TRAINING.replace("step=$CMBO_START_STEP", "step=0"))
        verdict = json.loads(self.cmbo("check", "--json", code=1).stdout)
        self.assertFalse(verdict["resumes"])
        self.assertTrue(verdict["remedy"])

    def test_other_methods_drive_it_too(self):
        for method in "random hyperband asha bohb dehb dyhpo dpl ifbo freezethaw".split():
            shutil.rmtree(self.dir / "study.cmbo", ignore_errors=True)
            self.study(method=method, limits={"workers": 2, "epochs": 30}, utility={"alpha": 0})
            self.cmbo("tune")
            with self.subTest(method):
                self.assertEqual(self.rows("SELECT count(*) FROM observations"), [(30,)])
                self.assertNotEqual(self.rows("SELECT DISTINCT trial FROM observations"), [(0,)])
        self.study(method="asah")
        self.assertIn("method: there is no 'asah'; choose one of random,",
                      self.cmbo("tune", code=1).stderr)
        self.study(method="fsbo")
        self.assertIn("method: fsbo learns from earlier tasks", self.cmbo("check", code=1).stderr)

    def test_nonsense(self):
        self.assertIn("there is no such file", self.cmbo("tune", "none.yaml", code=1).stderr)
        self.study(comand="x")
        self.assertIn("command", self.cmbo("tune", code=1).stderr)
        (self.dir / "study.yaml").write_text("{")
        self.assertIn("study.yaml", self.cmbo("tune", code=1).stderr)
        self.study(parameters={f"p{i}": {"type": "float", "low": 0, "high": 1} for i in range(17)},
                   command="true")
        self.assertIn("17 dimensions", self.cmbo("tune", code=1).stderr)
        self.study()
        self.assertIn("CMBO_MODELS", self.cmbo("tune", code=1, CMBO_MODELS=str(self.dir)).stderr)
        self.cmbo("tune", "--pool", "3", code=2)

    def test_what_must_not_change(self):
        self.study(limits={"epochs": 2})
        self.cmbo("tune")
        self.study(fidelity={"max": 20})
        self.assertIn("fidelity", self.cmbo("tune", code=1).stderr)
        self.study(seed=5)
        self.assertIn("seed: differs", self.cmbo("tune", code=1).stderr)
        self.study(pool=10)
        self.assertIn("pool: was 20 and cannot become smaller", self.cmbo("tune", code=1).stderr)

    def test_the_pool_may_grow(self):
        self.study(pool=1, utility={"alpha": 0})
        self.assertIn("no configuration is left", self.cmbo("tune").stdout)
        self.study(pool=3, utility={"alpha": 0})
        self.assertIn("3 done", self.cmbo("tune").stdout)

    def test_the_pool_is_refined_around_the_best(self):
        self.study(pool=64, utility={"alpha": 0}, limits={"epochs": 200}, refine=True)
        self.cmbo("tune")
        trials = json.loads(self.cmbo("trials", "study.yaml", "--all", "--json").stdout)
        refined = [trial for trial in trials if trial["origin"] == "refined"]
        self.assertIn(len(refined), (2, 4, 6, 8))
        self.assertTrue(all(0 <= trial["parameters"]["x"] <= 1 for trial in refined))
        self.study(pool=64, utility={"alpha": 0}, limits={"epochs": 200}, refine="maybe")
        self.assertIn("refine", self.cmbo("tune", code=1).stderr)

    def test_a_script_that_repeats_steps_is_told_of(self):
        self.script("""
            step=0
            while [ "$step" -lt "$CMBO_TARGET_STEP" ]; do
              step=$((step + 1))
              echo $step > "$CMBO_CHECKPOINT_DIR/step"
              echo "@cmbo {\\"step\\":$step,\\"acc\\":0.$CMBO_START_STEP$step}"
            done
        """)
        self.study(limits={"epochs": 12, "workers": 1}, pool=1)
        self.cmbo("tune")
        self.assertIn("reported twice with different values", self.cmbo("status", "study.yaml").stdout)
        shown = json.loads(self.cmbo("show", "study.yaml", "0", "--json").stdout)
        self.assertGreater(len(shown["conflicts"]), 0)
        self.assertEqual(shown["conflicts"][0]["step"], 1)

    def test_a_terminal_gets_one_calm_screen(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.environ["TERM"] = "xterm"
            os.execv(CMBO, [CMBO, "tune"])
        text = b""
        while select.select([terminal], [], [], 60)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:  # closed
                break
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        screens = text.decode().split("\x1b[J")
        self.assertGreater(len(screens), 2)
        self.assertIn("best", screens[-2])
        self.assertIn("frozen", screens[-2])
        self.assertTrue(all(screen.count("\n") < 24 for screen in screens[:-1]))
        self.assertIn("Stopped", screens[-1])


if __name__ == "__main__":
    unittest.main()
