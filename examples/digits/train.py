#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a network with one hidden layer to read handwritten digits, alone or under cmbo."""
import argparse
import gzip
import json
import math
import os
import pathlib
import random
import signal
from operator import mul

CLASSES = 10
DEFAULTS = {"learning_rate": 0.1, "momentum": 0.9, "weight_decay": 1e-4, "width": 16,
            "batch_size": 32}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    if "CMBO_PARAMS" in os.environ:
        parser.set_defaults(**json.loads(pathlib.Path(os.environ["CMBO_PARAMS"]).read_text()))
    return parser.parse_args()


def read_digits():
    """Training and validation samples: 64 pixels, a 1 for the bias, and the digit."""
    with gzip.open(pathlib.Path(__file__).parent / "data/digits.csv.gz", "rt") as file:
        rows = [list(map(float, line.split(","))) for line in file]
    samples = [([pixel / 16 for pixel in row[:-1]] + [1.0], int(row[-1])) for row in rows]
    random.Random(20).shuffle(samples)  # the same split in every process
    return samples[600:], samples[:600]


def first_weights(width, seed):
    draw = random.Random(f"{seed} weights")
    hidden = [[draw.gauss(0, 0.18) for _ in range(65)] for _ in range(width)]
    output = [[draw.gauss(0, 0.25) for _ in range(width + 1)] for _ in range(CLASSES)]
    return hidden + output


def dot(a, b):
    return sum(map(mul, a, b))


def forward(weights, width, x):
    """What the hidden units say, with a 1 for the bias, and the probability of each digit."""
    hidden = [math.tanh(dot(row, x)) for row in weights[:width]] + [1.0]
    logits = [dot(row, hidden) for row in weights[width:]]
    top = max(logits)
    powers = [math.exp(logit - top) for logit in logits]
    total = sum(powers)
    return hidden, [power / total for power in powers]


def add_gradient(gradient, weights, width, sample):
    x, digit = sample
    hidden, errors = forward(weights, width, x)
    errors[digit] -= 1.0
    for j in range(width):
        back = sum(e * row[j] for e, row in zip(errors, weights[width:])) * (1 - hidden[j] ** 2)
        gradient[j] = [g + back * value for g, value in zip(gradient[j], x)]
    for k, error in enumerate(errors, width):
        gradient[k] = [g + error * value for g, value in zip(gradient[k], hidden)]


def train_epoch(state, samples, options, order):
    weights, momentum = state["weights"], state["momentum"]
    order.shuffle(samples)
    for begin in range(0, len(samples), options.batch_size):
        batch = samples[begin : begin + options.batch_size]
        gradient = [[0.0] * len(row) for row in weights]
        for sample in batch:
            add_gradient(gradient, weights, options.width, sample)
        for row, ball, slope in zip(weights, momentum, gradient):
            for i, weight in enumerate(row):
                push = slope[i] / len(batch) + options.weight_decay * weight
                ball[i] = options.momentum * ball[i] + push
                row[i] = weight - options.learning_rate * ball[i]


def evaluate(weights, width, samples):
    answers = [(forward(weights, width, x)[1], digit) for x, digit in samples]
    right = sum(p.index(max(p)) == digit for p, digit in answers) / len(samples)
    loss = -sum(math.log(max(p[digit], 1e-300)) for p, digit in answers) / len(samples)
    if loss < 10 * math.log(CLASSES):
        return {"val_acc": right, "val_loss": loss}
    return {"val_acc": math.nan, "val_loss": math.nan}  # diverged


def main():
    options = arguments()
    start, seed = int(os.environ.get("CMBO_START_STEP", 0)), os.environ.get("CMBO_SEED", "1")
    target = int(os.environ.get("CMBO_TARGET_STEP", 50))
    folder = pathlib.Path(os.environ.get("CMBO_CHECKPOINT_DIR", "."))
    train, validation = read_digits()
    if start > 0:  # thaw
        state = json.loads((folder / f"step-{start}.json").read_text())
    else:
        weights = first_weights(options.width, seed)
        state = {"weights": weights, "momentum": [[0.0] * len(row) for row in weights]}
    leave = []
    signal.signal(signal.SIGTERM, lambda *_: leave.append(True))
    for step in range(start + 1, target + 1):
        order = random.Random(f"{seed} {step}")  # by the step alone, so a thaw changes nothing
        train_epoch(state, sorted(train), options, order)
        if "CMBO_CHECKPOINT_DIR" in os.environ:  # save before the report
            (folder / "new.json").write_text(json.dumps(state))
            os.replace(folder / "new.json", folder / f"step-{step}.json")
            (folder / f"step-{step - 2}.json").unlink(missing_ok=True)
        report = {"step": step, **evaluate(state["weights"], options.width, validation)}
        print("@cmbo", json.dumps(report), flush=True)
        if leave and step < target:
            raise SystemExit(75)


main()
