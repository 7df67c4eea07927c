#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden values of both networks: `python3 tests/golden/make_networks.py` writes the files beside
itself that src/network/golden_test.cpp reads. It needs numpy, the test does not.

The networks are written down here once more, in float64 and as plainly as possible: all tokens at
once, one mask that says who sees whom, no scratch, no fused kernels, and no backward pass at all.
Gradients come from the complex step, d loss / d w = Im loss(w + i h) / h, which has no rounding
error to speak of for a tiny h, and cannot share a mistake with a hand-written backward pass.

All inputs are float32 numbers, so both sides compute the same thing up to the rounding of one.
"""
import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
STEP = 1e-30  # of the complex step
WEIGHT_UNIT = 1 / 128  # files hold weights as whole multiples of it, which are exact in float32
POINT_WIDTH = 64
HINTS = 11
VALUE_WAVES = 8, 32
MIN_SCALE, MAX_SCALE = 3e-5, 0.1
BORDERS = [0, 0.001, 0.1, 0.25, 0.4, 0.6, 0.8, 1]

CONFIG = {"network": "curve", "dimensions": 5, "width": 12, "layers": 2, "heads": 3,
          "hidden_factor": 2, "head_width": 10, "bars": 7, "pre_norm": True, "copy": True,
          "hints": False, "dropout": 0.0}
FILES = {
    "curve_pre_norm": {**CONFIG},
    "curve_post_norm": {**CONFIG, "pre_norm": False},
    "curve_hints": {**CONFIG, "pre_norm": False, "hints": True},
    "point_pre_norm": {**CONFIG, "network": "point"},
    "point_post_norm": {**CONFIG, "network": "point", "pre_norm": False, "copy": False},
}


# ---- Parameters: names and shapes in the order of the table


def parameter_shapes(config):
    d, head = config["width"], config["head_width"]
    hidden = config["hidden_factor"] * d
    shapes = {}

    def linear(name, outputs, inputs, bias=True):
        shapes[name + ".weight"] = (outputs, inputs)
        if bias:
            shapes[name + ".bias"] = (outputs,)

    def norm(name):
        shapes[name + ".gamma"] = shapes[name + ".beta"] = (d,)

    for layer in range(config["layers"]):
        for step, inner, middle in (("attention", 3 * d, d), ("feed_forward", hidden, hidden)):
            norm(f"layer{layer}.{step}.norm")
            linear(f"layer{layer}.{step}.in", inner, d)
            linear(f"layer{layer}.{step}.out", d, middle)
    if config["pre_norm"]:
        norm("last_norm")
    linear("head.bars", config["bars"], head)
    if config["copy"]:
        linear("head.copy", 4, head)
    if config["network"] == "point":
        linear("embed", d, config["dimensions"] + 2)
        linear("hidden", head, d)
    else:
        linear("embed.point", POINT_WIDTH, 15)
        linear("embed.pool", d, POINT_WIDTH, bias=False)
        hints = HINTS if config["hints"] else 0
        linear("embed.row", d, 37 + 5 * (config["dimensions"] + hints))
        linear("decode.query", head, d)
        linear("decode.time", head, 10, bias=False)
        linear("decode.second", head, head)
    return shapes


def noise(seed):
    """Whole numbers below 2^15, always the same (Lehmer's generator)."""
    state = seed
    while True:
        state = state * 48271 % 2147483647
        yield state >> 16


def make_weights(shapes):
    """In units of WEIGHT_UNIT: -1/2 .. 1/2, and scales of norms around 1."""
    numbers = noise(20240611)
    weights = {}
    for name, shape in shapes.items():
        values = np.array([next(numbers) % 129 - 64 for _ in range(np.prod(shape))])
        weights[name] = values.reshape(shape) + (128 if name.endswith(".gamma") else 0)
    return weights


# ---- Questions, with the odd cases among them


def float32(values):
    """Rounded to float32, as float64."""
    return np.asarray(values, np.float32).astype(np.float64)


def make_curves():
    """Eight curves of ten epochs around the initial value 0.3."""
    epochs = np.arange(1, 11)
    curves = [0.3 + (limit - 0.3) * (1 - np.exp(-rate * epochs))
              for limit, rate in ((0.85, 0.6), (0.6, 0.5), (0.4, 0.1), (0.2, 1.5), (0.7, 0.3),
                                  (0.35, 0.2), (0.95, 0.9), (0.99, 0.4))]
    curves[1][2:] = 0  # diverges
    curves[3] += 0.002 * np.cos(3 * epochs)  # a noisy plateau below the initial value
    curves[7][8:] = 1  # perfect
    return float32(np.round(curves, 3))


def make_question(dimensions, lengths, context, asked, epochs):
    numbers = noise(1984)
    y = make_curves()
    x = float32([[next(numbers) % 1001 / 1000 for _ in range(dimensions)] for _ in lengths])
    values = np.array([y[row, epoch - 1] for row, each in zip(asked, epochs) for epoch in each])
    values[4] = float32(0.4)  # on a border
    weights = float32([0.5 + 0.1 * (i % 4) for i in range(values.size)])
    weights[5] = 0
    return {"initial": float32(0.3), "horizon": 10, "x": x, "y": y, "lengths": lengths,
            "context": context, "asked": asked, "epochs": np.array(epochs),
            "values": values, "weights": weights}


def with_hints(question):
    """Row 2 is unknown to earlier tasks; without context there are no earlier tasks at all."""
    numbers = noise(2026)
    hints = float32([[next(numbers) % 1001 / 1000 for _ in range(HINTS)] for _ in question["y"]])
    hints[:, 0] = 1
    hints[2] = 0
    return {**question, "hints": hints if question["context"] else np.zeros((0, HINTS))}


# Row 4 is asked and has observations that only itself sees; row 6 is complete, and asked for epochs
# that it has already shown; rows are shorter than the network's dimensions. Values beyond lengths
# are there, but nobody may look at them.
QUESTIONS = {
    "with_context": make_question(
        4, [4, 3, 1, 6, 2, 0, 10, 0], [3, 0, 6, 1, 2], [1, 4, 5, 6, 3, 7, 0],
        [[4, 6, 10], [3, 4, 9], [1, 2, 10], [5, 10, 1], [7, 8, 10], [1, 8, 9], [5, 6, 10]]),
    "without_context": make_question(
        5, [0] * 8, [], [2, 5, 1, 7], [[1, 2, 10], [1, 4, 8], [1, 2, 3], [3, 7, 10]]),
}


def observed(question, row):
    return question["y"][row, :question["lengths"][row]]


def last_value(question, row):
    return np.append(question["initial"], observed(question, row))[-1]


def answers(question):
    """(row, epoch) of every answer."""
    return [(row, epoch) for row, each in zip(question["asked"], question["epochs"])
            for epoch in each]


# ---- Layers


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def linear(weights, name, x):
    return x @ weights[name + ".weight"].T + weights.get(name + ".bias", 0)


def layer_norm(weights, name, x):
    centered = x - x.mean(-1, keepdims=True)
    deviation = np.sqrt((centered**2).mean(-1, keepdims=True) + 1e-5)
    return weights[name + ".gamma"] * centered / deviation + weights[name + ".beta"]


def attention(weights, name, x, mask, heads):
    tokens, d = x.shape
    qkv = linear(weights, name + ".in", x).reshape(tokens, 3, heads, d // heads)
    q, k, v = qkv.transpose(1, 2, 0, 3)  # [heads][tokens][d / heads] each
    seen = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(d // heads)) * mask
    mixed = seen / seen.sum(-1, keepdims=True) @ v
    return linear(weights, name + ".out", mixed.transpose(1, 0, 2).reshape(tokens, d))


def feed_forward(weights, name, x):
    return linear(weights, name + ".out", gelu(linear(weights, name + ".in", x)))


def transformer(config, weights, context, queries):
    """The query tokens after all layers. Everyone sees the context, queries themselves too."""
    x = np.concatenate([context, queries])
    mask = np.zeros((len(x), len(x)))
    mask[:, :len(context)] = 1
    mask[len(context):, len(context):] = np.eye(len(queries))
    for layer in range(config["layers"]):
        for step in ("attention", "feed_forward"):
            name = f"layer{layer}.{step}"

            def f(inputs, name=name, step=step):
                if step == "attention":
                    return attention(weights, name, inputs, mask, config["heads"])
                return feed_forward(weights, name, inputs)

            if config["pre_norm"]:
                x = x + f(layer_norm(weights, name + ".norm", x))
            else:
                x = layer_norm(weights, name + ".norm", x + f(x))
    return (layer_norm(weights, "last_norm", x) if config["pre_norm"] else x)[len(context):]


# ---- The point network


def point_hidden(config, weights, question):
    def token(row, epoch, y):
        x = np.zeros(config["dimensions"])
        if row is not None:
            x[:question["x"].shape[1]] = question["x"][row]
        return np.concatenate([x, [epoch / question["horizon"], y]])

    context = [token(None, 0, question["initial"])]
    for row in question["context"]:
        context += [token(row, e + 1, y) for e, y in enumerate(observed(question, row))]
    queries = [token(row, epoch, 0) for row, epoch in answers(question)]
    tokens = transformer(config, weights, linear(weights, "embed", np.array(context)),
                         linear(weights, "embed", np.array(queries)))
    return gelu(linear(weights, "hidden", tokens))


# ---- The curve network


def time_features(t):
    return np.array([t, np.log(1 + 50 * t) / np.log(51), np.sin(np.pi * t), np.cos(2 * np.pi * t),
                     np.exp(-25 * t)])


def value_features(y, initial):
    waves = [wave(2 * np.pi * n * y) for n in VALUE_WAVES for wave in (np.sin, np.cos)]
    return np.array([2 * y - 1, np.clip(2 * (y - initial), -1, 1), np.tanh(20 * (y - initial)),
                     float(y <= 0)] + waves)


def difference_features(*differences):
    """Linear up to 1e-5, logarithmic beyond, 1 at 1."""
    return np.arcsinh(1e5 * np.array(differences)) / np.arcsinh(1e5)


def motion_features(curve, initial):
    last, previous = curve[-1], np.append(initial, curve)[-2]
    half = curve[(len(curve) - 1) // 2] if len(curve) > 1 else initial
    steps = np.abs(np.diff(curve[-8:]))
    return difference_features(last - previous, last - half, last - initial, last - max(curve),
                               steps.mean() if len(steps) > 0 else 0)


def initial_features(initial):
    return np.array([wave(2 * np.pi * n * initial) for n in (4, 16) for wave in (np.sin, np.cos)])


def coordinate_features(x):
    return np.array([x] + [value for n in (1, 2) for value in
                           (np.sin(2 * np.pi * n * x), 1 - np.cos(2 * np.pi * n * x))])


def task_features(question):
    """What all tokens share, behind two flags: is it the task's token, has it observations."""
    shown = np.concatenate([[question["initial"]]]
                           + [observed(question, row) for row in question["context"]])
    return np.array([2 * question["initial"] - 1, np.log(question["horizon"]) / 6,
                     np.log(len(shown)) / 6, 2 * (shown.max() - question["initial"])])


def curve_token(config, weights, question, row):
    """Of one row; None = the task's."""
    initial, horizon = question["initial"], question["horizon"]
    curve = [] if row is None else observed(question, row)
    state = np.zeros(27)
    x, pooled = np.zeros((config["dimensions"], 5)), np.zeros(POINT_WIDTH)
    if len(curve) > 0:
        slope = np.diff(np.append(initial, curve))[-1]
        state = np.concatenate([[np.clip(10 * slope, -1, 1)],
                                value_features(curve[-1], initial),
                                value_features(max(curve), initial),
                                time_features(len(curve) / horizon),
                                motion_features(curve, initial)])
        steps = np.diff(np.append(initial, curve))
        points = [np.concatenate([time_features((e + 1) / horizon), value_features(y, initial),
                                  difference_features(steps[e], y - initial)])
                  for e, y in enumerate(curve)]
        pooled = gelu(linear(weights, "embed.point", np.array(points))).mean(0)
    hints = np.zeros((HINTS if config["hints"] else 0, 5))
    told = [] if row is None else question.get("hints", np.zeros((0, 0)))[row:row + 1].ravel()
    if len(told) > 0 and told[0] > 0:
        hints[:] = [coordinate_features(v) for v in told]
    elif row is not None:
        x[:question["x"].shape[1]] = [coordinate_features(v) for v in question["x"][row]]
    flags = [float(row is None), float(len(curve) > 0)]
    features = np.concatenate([flags, task_features(question), state,
                               initial_features(initial), x.ravel(), hints.ravel()])
    return linear(weights, "embed.row", features) + linear(weights, "embed.pool", pooled)


def curve_hidden(config, weights, question):
    context = [curve_token(config, weights, question, row) for row in [None] + question["context"]]
    queries = [curve_token(config, weights, question, row) for row in question["asked"]]
    tokens = transformer(config, weights, np.array(context), np.array(queries))
    token_of = dict(zip(question["asked"], tokens))
    horizon = question["horizon"]
    times = [np.append(time_features(epoch / horizon),
                       time_features(max(epoch - question["lengths"][row], 0) / horizon))
             for row, epoch in answers(question)]
    from_token = linear(weights, "decode.query",
                        np.array([token_of[row] for row, _ in answers(question)]))
    first = gelu(from_token + linear(weights, "decode.time", np.array(times)))
    return gelu(linear(weights, "decode.second", first))


# ---- The distribution and the loss


def negative_log_densities(config, weights, question):
    hidden = {"point": point_hidden, "curve": curve_hidden}[config["network"]](
        config, weights, question)
    borders, y = float32(BORDERS), question["values"]
    logits = np.exp(linear(weights, "head.bars", hidden))
    bar = np.searchsorted(borders[1:-1], y, side="right")
    density = logits[np.arange(y.size), bar] / logits.sum(-1) / np.diff(borders)[bar]
    if config["copy"]:
        raw = linear(weights, "head.copy", hidden)
        gate = sigmoid(raw[:, 0])
        m = np.array([last_value(question, row) for row, _ in answers(question)])
        below = (m > 0) & ((y < m) | (m >= 1))
        share = np.where(m <= 0, 0, np.where(m >= 1, 1, sigmoid(raw[:, 1])))
        low, high = np.log(MIN_SCALE), np.log(MAX_SCALE)
        s = np.exp(low + (high - low) * sigmoid(np.where(below, raw[:, 2], raw[:, 3])))
        inside = 1 - np.exp(-np.where(below, m, 1 - m) / s)
        copy = np.where(below, share, 1 - share) * np.exp(-np.abs(y - m) / s) / (s * inside)
        density = (1 - gate) * density + gate * copy
    return -np.log(density)


def loss(config, weights, question):
    return question["weights"] @ negative_log_densities(config, weights, question)


def gradient(config, weights, question, name):
    """By the complex step, one entry after the other, flat."""
    slopes = []
    for i in range(weights[name].size):
        moved = weights[name].astype(complex)
        moved.flat[i] += 1j * STEP
        slopes.append(loss(config, {**weights, name: moved}, question).imag / STEP)
    return np.array(slopes)


def direction(size):
    """Fixed, the same in the test: -1 .. 1 in steps of 0.2."""
    return (np.arange(size) * 7 % 11 - 5) / 5


# ---- Files


def rounded(value):
    return float(f"{value:.8g}")


def plain(value):
    """For JSON: lists of numbers that are as short as float32 allows."""
    if isinstance(value, list):
        return [plain(entry) for entry in value]
    return value if isinstance(value, int) else float(str(np.float32(value)))


def golden(config, weights, question):
    gradients = {}
    for name in weights:
        g = gradient(config, weights, question, name)
        gradients[name] = {"norm": rounded(np.linalg.norm(g)),
                           "dot": rounded(g @ direction(g.size)),
                           "first": [rounded(v) for v in g[:8]]}
    losses = negative_log_densities(config, weights, question)
    return {**{key: plain(np.asarray(value).tolist()) for key, value in question.items()},
            "negative_log_densities": [rounded(v) for v in losses],
            "loss": rounded(question["weights"] @ losses), "gradients": gradients}


def lines(value, depth):
    """JSON with a line for each entry of the outer `depth` levels of objects."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, separators=(",", ":"))
    inner = ",\n".join(f'"{key}":{lines(entry, depth - 1)}' for key, entry in value.items())
    return "{\n" + inner + "\n}"


def main():
    for name, config in FILES.items():
        units = make_weights(parameter_shapes(config))
        weights = {key: value * WEIGHT_UNIT for key, value in units.items()}
        content = {
            "config": config,
            "borders": BORDERS,
            "weight_unit": WEIGHT_UNIT,
            "weights": {key: value.tolist() for key, value in units.items()},
            "questions": {key: golden(config, weights,
                                      with_hints(question) if config["hints"] else question)
                          for key, question in QUESTIONS.items()},
        }
        (FOLDER / f"{name}.json").write_text(lines(content, 4) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
