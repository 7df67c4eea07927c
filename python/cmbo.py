# SPDX-License-Identifier: Apache-2.0
"""What a training in Python says to cmbo, in three lines. Put this file beside the script.

    import cmbo
    for epoch in cmbo.steps(50):              # only those that are due: start + 1 .. target
        train(epoch)
        save(cmbo.checkpoint_dir())           # before the report, which says that it is saved
        cmbo.report(epoch, val_acc=accuracy)

Not run by cmbo, the same script trains all 50 epochs and prints what it would report. In resident mode
steps() waits for the next slice by itself. No library is needed: printing a line such as
@cmbo {"step": 3, "val_acc": 0.71} does the same as report().
"""
import json
import os
import sys


def is_tuned():
    """Whether cmbo runs this script."""
    return "CMBO_TARGET_STEP" in os.environ


def start_step():
    """The last step of the checkpoint to go on from; 0 = start afresh."""
    return int(os.environ.get("CMBO_START_STEP", 0))


def max_step(default):
    """The horizon, for learning-rate schedules; `default` when not run by cmbo."""
    return int(os.environ.get("CMBO_MAX_STEP", default))


def seed(default=0):
    """The same in every slice of a configuration. Split the data by it."""
    return int(os.environ.get("CMBO_SEED", default))


def checkpoint_dir(default="checkpoint"):
    """One directory for the whole life of the configuration; it exists."""
    path = os.environ.get("CMBO_CHECKPOINT_DIR", default)
    os.makedirs(path, exist_ok=True)
    return path


def params(**defaults):
    """The hyperparameters, over these defaults."""
    if not is_tuned():
        return defaults
    with open(os.environ["CMBO_PARAMS"], encoding="utf-8") as file:
        return {**defaults, **json.load(file)}


def _next_target():
    """The target of the next slice, in resident mode; None = leave."""
    if os.environ.get("CMBO_RESIDENT") != "1":
        return None
    line = sys.stdin.readline()
    return json.loads(line)["target_step"] if line.strip() else None


def steps(total):
    """The steps to train now, one after the other, counted from 1; all `total` if not run by cmbo."""
    step = start_step()
    target = int(os.environ.get("CMBO_TARGET_STEP", total))
    while target is not None:
        while step < target:
            step += 1
            yield step
        target = _next_target()


def report(step, **metrics):
    """The metrics after `step`, whose checkpoint is saved. NaN means that it diverged."""
    metrics = {name: float(value) for name, value in metrics.items()}
    print("@cmbo " + json.dumps({"step": step, **metrics}), flush=True)
