#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills cmbo and its trainings at random moments, and looks whether any epoch got lost, was counted
twice or was trained twice. One argument: how often to kill in each mode, slice and resident (20)."""
import collections
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

CMBO = os.environ["CMBO"]
KILLS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
LONGEST_WAIT = 0.4  # s between kills
EPOCHS = 6
POOL = 32
REFINED = 2  # one each once 16 and 32 were trained

STUDY = f"""
command: sh train.sh {{x}}
mode: MODE
metric: {{name: acc, goal: maximize, range: [0, 1]}}
fidelity: {{max: {EPOCHS}}}
parameters:
  x: {{type: float, low: 0, high: 1}}
utility: {{alpha: 0}}
pool: {POOL}
refine: true
limits: {{workers: 2}}
"""

# Notes every epoch that it trains, saves, then reports. It finds the checkpoint of the step that it
# is to start from, or a later one: it can be killed after saving and before reporting. Every other
# one does not listen when it is asked to leave, and reports on after cmbo is gone. In resident mode it
# waits for further targets.
TRAINING = """
[ $((CMBO_TRIAL % 2)) -eq 0 ] || trap "" TERM
saved=0
[ -f "$CMBO_CHECKPOINT_DIR/step" ] && saved=$(cat "$CMBO_CHECKPOINT_DIR/step")
[ "$saved" -ge "$CMBO_START_STEP" ] || { echo "$CMBO_TRIAL $CMBO_START_STEP $saved" >> lost.log; exit 1; }
echo $$ >> pids.log
step=$CMBO_START_STEP
train_to() {
  while [ "$step" -lt "$1" ]; do
    step=$((step + 1))
    sleep 0.01
    echo "$CMBO_TRIAL $step" >> trained.log
    echo "$step" > "$CMBO_CHECKPOINT_DIR/new" && mv "$CMBO_CHECKPOINT_DIR/new" "$CMBO_CHECKPOINT_DIR/step"
    printf '@cmbo {"step":%d,"acc":0.%03d}\\n' "$step" $((CMBO_TRIAL * 10 + step))
  done
}
train_to "$CMBO_TARGET_STEP"
[ "${CMBO_RESIDENT:-}" = 1 ] || exit 0
while read -r line; do train_to "$(echo "$line" | tr -dc 0-9)"; done
"""


def value_of(trial, step):
    return (trial * 10 + step) / 1000


class Study:
    def __init__(self, directory, mode):
        self.directory = directory
        self.cmbo_kills = self.training_kills = self.starts = 0
        (directory / "study.yaml").write_text(STUDY.replace("MODE", mode))
        (directory / "train.sh").write_text(TRAINING)

    def start(self):
        self.starts += 1
        self.log = open(self.directory / "cmbo.log", "a", encoding="utf-8")
        return subprocess.Popen([CMBO, "tune"], cwd=self.directory, stdout=self.log,
                                stderr=self.log)

    def kill_training(self):
        """The last training that was started; whether it was still there."""
        try:
            pid = int((self.directory / "pids.log").read_text().split()[-1])
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"train.sh" not in command:
                return False
            os.kill(pid, signal.SIGKILL)
        except (OSError, IndexError, ValueError):
            return False
        self.training_kills += 1
        return True

    def run(self, kills):
        """To its end, with at most so many kills in between."""
        process = self.start()
        while process.poll() is None:
            time.sleep(random.random() * LONGEST_WAIT)
            if self.kills() >= kills:
                break
            if random.random() < 0.5:
                self.kill_training()
            elif process.poll() is None:
                process.kill()
                process.wait()
                self.cmbo_kills += 1
                process = self.start()
        code = process.wait(timeout=120)
        assert code in (0, 3), f"exit code {code}:\n" + (self.directory / "cmbo.log").read_text()[-2000:]

    def kills(self):
        return self.cmbo_kills + self.training_kills

    def printed(self, trial):
        """The steps that a trial reported, in their order; half lines do not count."""
        log = self.directory / "study.cmbo" / "trials" / str(trial) / "stdout.log"
        if not log.exists():
            return []
        return [int(step) for step in re.findall(r'^@cmbo {"step":(\d+),.*}$', log.read_text(), re.M)]

    def verify(self):
        database = sqlite3.connect(self.directory / "study.cmbo" / "study.db")
        assert not (self.directory / "lost.log").exists(), "a trial went back before its checkpoint"
        recorded = collections.defaultdict(list)
        for trial, step, value in database.execute(
                "SELECT trial, step, value FROM observations ORDER BY id"):
            recorded[trial].append(step)
            assert abs(value - value_of(trial, step)) < 1e-9, (trial, step, value)
        states = dict(database.execute("SELECT number, state FROM trials"))
        refined = database.execute("SELECT count(*) FROM trials WHERE origin = 'refined'").fetchone()
        assert refined == (REFINED,) and len(states) == POOL + REFINED, (refined, len(states))
        for trial, state in states.items():
            steps = list(range(1, len(recorded[trial]) + 1))
            assert recorded[trial] == steps, f"trial {trial} recorded {recorded[trial]}"
            # Whatever was reported counts, once, and is not trained again.
            assert self.printed(trial) == steps, f"trial {trial}: {self.printed(trial)} != {steps}"
            assert state == "failed" or len(steps) == EPOCHS, f"trial {trial} is {state} at {len(steps)}"
        open_slices = database.execute("SELECT count(*) FROM slices WHERE outcome IS NULL").fetchone()
        assert open_slices == (0,), open_slices
        epochs = sum(map(len, recorded.values()))
        trained = collections.Counter((self.directory / "trained.log").read_text().splitlines())
        for trial, steps in recorded.items():
            assert all(trained[f"{trial} {step}"] > 0 for step in steps), trial
        again = sum(trained.values()) - epochs
        # A kill of cmbo ends two trainings, each between two reports.
        assert again <= 2 * self.cmbo_kills + self.training_kills, (again, self.kills())
        assert json.loads((self.directory / "study.cmbo" / "stop.json").read_text())["epochs"] == epochs
        failed = sum(state == "failed" for state in states.values())
        return epochs, again, failed


def kill_in(mode, seed):
    cmbo_kills = training_kills = epochs = again = studies = failed = 0
    begin = time.monotonic()
    while cmbo_kills + training_kills < KILLS:
        with tempfile.TemporaryDirectory() as name:
            study = Study(pathlib.Path(name), mode)
            try:
                study.run(KILLS - cmbo_kills - training_kills)
                counts = study.verify()
            except BaseException:
                print(f"{mode} mode, seed {seed}, after {study.starts} starts", file=sys.stderr)
                print((study.directory / "cmbo.log").read_text()[-3000:], file=sys.stderr)
                raise
        epochs, again, failed = epochs + counts[0], again + counts[1], failed + counts[2]
        cmbo_kills += study.cmbo_kills
        training_kills += study.training_kills
        studies += 1
    print(f"{mode} mode: killed cmbo {cmbo_kills} times and trainings {training_kills} times in {studies} "
          f"studies of {epochs} epochs, {time.monotonic() - begin:.0f} s: none lost, none counted twice, "
          f"{again} trained again because the kill fell before their report; {failed} trials given up")


def main():
    seed = int(os.environ.get("SEED", random.randrange(10**6)))
    random.seed(seed)
    for mode in ("slice", "resident"):
        kill_in(mode, seed)


if __name__ == "__main__":
    main()
