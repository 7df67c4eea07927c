#!/usr/bin/env python3
"""The program as a user runs it: what it prints, how it ends, and what it leaves on the disk."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

CMBO = os.environ["CMBO"]

HEADER = {"task": "toy", "metric": "acc", "goal": "maximize", "fidelity": "epoch",
          "first_epoch": 0, "last_epoch": 3,
          "parameters": {"lr": {"type": "float", "low": 1e-4, "high": 1, "log": True}}}
ROWS = [{"config": {"lr": 0.01}, "curve": [0.1, 0.4, 0.5, 0.6]},
        {"config": {"lr": 1}, "curve": [0.1, 0.2, None, None]},
        {"config": {"lr": 0.1}, "curve": [0.1, 0.5]}]


def cmbo(*arguments, **options):
    """Runs the program to its end."""
    return subprocess.run([CMBO, *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=300, **options)


def write_jsonl(path, header=None, rows=None):
    """A curve file in our own format."""
    lines = [header or HEADER, *(ROWS if rows is None else rows)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


class CliTest(unittest.TestCase):
    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self._directory.name)

    def tearDown(self):
        self._directory.cleanup()

    def assert_fails(self, run, *words, code=1):
        """It ended with `code`, one complaint that has all the words, and nothing on stdout."""
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        for word in words:
            self.assertIn(word, run.stderr)


class UsageTest(CliTest):
    def test_help_and_version(self):
        self.assertIn("curves", cmbo("--help").stdout)
        self.assertIn("--json", cmbo("curves", "describe", "--help").stdout)
        self.assertRegex(cmbo("--version").stdout, r"^cmbo \d+\.\d+\.\d+\n$")

    def test_wrong_usage_exits_with_2(self):
        self.assert_fails(cmbo("tuen"), "did you mean 'tune'?", "'cmbo --help'", code=2)
        self.assert_fails(cmbo("curves", "describ"), "'describe'", "'cmbo curves --help'", code=2)
        self.assert_fails(cmbo("--frobnicate"), "--help", code=2)
        self.assert_fails(cmbo("curves", "describe"), "curves", code=2)
        self.assert_fails(cmbo("curves", "describe", "x", "--format", "xml"), "xml", code=2)

    def test_without_a_command_it_lists_them(self):
        for group, command in ([], "tune"), (["curves"], "describe"):
            run = cmbo(*group)
            self.assertEqual(run.returncode, 2)
            self.assertIn(command, run.stdout)

    def test_a_full_disk_is_noticed(self):
        path = write_jsonl(self.dir / "a.jsonl")
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run([CMBO, "curves", "describe", path], stdout=full,
                                 stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("standard output", run.stderr)


class DescribeTest(CliTest):
    def test_table(self):
        run = cmbo("curves", "describe", write_jsonl(self.dir / "a.jsonl"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("a.jsonl · 1 task · 3 curves\n", run.stdout)
        self.assertIn("acc ↑", run.stdout)
        self.assertIn("33.3 %", run.stdout)

    def test_json(self):
        write_jsonl(self.dir / "a.jsonl")
        write_jsonl(self.dir / "b.jsonl", {**HEADER, "task": "other"})
        (self.dir / "README.md").write_text("not curves")
        tasks = json.loads(cmbo("curves", "describe", self.dir, "--json").stdout)["tasks"]
        self.assertEqual([t["task"] for t in tasks], ["toy", "other"])
        self.assertEqual(tasks[0]["configurations"], 3)
        self.assertEqual(tasks[0]["diverged"], 1)
        self.assertEqual(tasks[0]["shortest"], 2)
        self.assertAlmostEqual(tasks[0]["best_final"], 0.6, places=6)

    def test_bad_files(self):
        self.assert_fails(cmbo("curves", "describe", self.dir / "none"), "none", "No such file")
        self.assert_fails(cmbo("curves", "describe", self.dir), "no curve files")
        path = write_jsonl(self.dir / "a.jsonl", rows=[{"config": {"lr": 7}, "curve": [1]}])
        self.assert_fails(cmbo("curves", "describe", path), "a.jsonl:2:", "lr", "outside its range")
        path.write_bytes(b"\xff\xfe\x00")
        self.assert_fails(cmbo("curves", "describe", path), "a.jsonl:1:")
        path.write_text("")
        self.assert_fails(cmbo("curves", "describe", path), "empty")
        write_jsonl(path)
        write_jsonl(self.dir / "copy.jsonl")
        self.assert_fails(cmbo("curves", "describe", self.dir), "copy.jsonl", "toy", "twice")
        self.assert_fails(cmbo("curves", "describe", path, "--tasks", "tpy"), "tpy", "toy")


class ImportTest(CliTest):
    CSV = ("task,lr,opt,epoch,value\n"
           "t1,0.1,sgd,1,0.5\nt1,0.1,sgd,2,nan\nt1,0.2,adam,1,0.6\nt2,0.1,sgd,1,0.7\n")

    def csv(self, text=CSV):
        path = self.dir / "in.csv"
        path.write_text(text)
        return path

    def files(self):
        return sorted(p.name for p in (self.dir / "out").glob("*"))

    def test_csv_becomes_json_lines(self):
        out = self.dir / "out"
        run = cmbo("curves", "import", self.csv(), "--goal", "maximize", "--metric", "acc",
                   "--out", out)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("2 tasks, 3 curves", run.stdout)
        self.assertEqual(self.files(), ["t1.jsonl", "t2.jsonl"])
        tasks = json.loads(cmbo("curves", "describe", out, "--json").stdout)["tasks"]
        self.assertEqual(tasks[0]["metric"], "acc")
        self.assertEqual(tasks[0]["diverged"], 1)

    def test_a_csv_needs_a_goal(self):
        self.assert_fails(cmbo("curves", "import", self.csv(), "--out", self.dir / "out"),
                          "--goal maximize")
        self.assertFalse((self.dir / "out").exists())

    def test_the_space_can_be_given(self):
        space = self.dir / "space.yaml"
        space.write_text("lr: {type: float, low: 1e-3, high: 1, log: true}\n"
                         "opt: {type: categorical, choices: [sgd, adam, lion]}\n")
        run = cmbo("curves", "import", self.csv(), "--goal", "maximize", "--space", space,
                   "--out", self.dir / "out")
        self.assertEqual(run.returncode, 0, run.stderr)
        header = json.loads((self.dir / "out" / "t1.jsonl").read_text().splitlines()[0])
        self.assertEqual(header["parameters"]["opt"]["choices"], ["sgd", "adam", "lion"])
        space.write_text("lr: {type: float, low: 5, high: 1}\n")
        self.assert_fails(cmbo("curves", "import", self.csv(), "--goal", "maximize", "--space",
                               space, "--out", self.dir / "out2"), "space.yaml: lr: low")

    def test_nothing_is_replaced_unasked(self):
        arguments = ["curves", "import", self.csv(), "--goal", "maximize", "--out",
                     self.dir / "out"]
        self.assertEqual(cmbo(*arguments).returncode, 0)
        self.assert_fails(cmbo(*arguments), "t1.jsonl", "--overwrite")
        self.assertEqual(cmbo(*arguments, "--overwrite").returncode, 0)

    def test_a_bad_file_leaves_nothing_behind(self):
        run = cmbo("curves", "import", self.csv(self.CSV + "t3,0.1,sgd,x,0.7\n"), "--goal",
                   "maximize", "--out", self.dir / "out")
        self.assert_fails(run, "in.csv:6:")
        self.assertFalse((self.dir / "out").exists())

    def test_a_disk_that_fills_up_leaves_nothing_behind(self):
        rows = [{"config": {"lr": 0.01}, "curve": [0.1, 0.4]}] * 2000
        write_jsonl(self.dir / "a.jsonl", {**HEADER, "task": "a"}, rows[:10])
        write_jsonl(self.dir / "b.jsonl", {**HEADER, "task": "b"}, rows)

        def limit_file_size():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        run = cmbo("curves", "import", self.dir, "--out", self.dir / "out",
                   preexec_fn=limit_file_size)
        self.assert_fails(run, "b.jsonl", "cannot write")
        self.assertEqual(self.files(), [])

    def test_task_names_cannot_leave_the_directory(self):
        write_jsonl(self.dir / "a.jsonl", {**HEADER, "task": "../../evil task"})
        run = cmbo("curves", "import", self.dir / "a.jsonl", "--out", self.dir / "out")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.files(), ["_._.._evil_task.jsonl"])

    def test_interrupting_leaves_whole_files_only(self):
        rows = [{"config": {"lr": 0.01}, "curve": [0.1, 0.4, 0.5, 0.6]}] * 5000
        for i in range(8):
            write_jsonl(self.dir / f"{i}.jsonl", {**HEADER, "task": f"t{i}"}, rows)
        whole = (self.dir / "0.jsonl").read_text().count("\n")
        for delay in (0.01, 0.05, 0.1, 0.2, 0.3):
            with subprocess.Popen([CMBO, "curves", "import", self.dir, "--overwrite", "--out",
                                   self.dir / "out"], stdout=subprocess.DEVNULL) as process:
                time.sleep(delay)
                process.kill()
            for path in (self.dir / "out").glob("*.jsonl"):
                self.assertEqual(path.read_text().count("\n"), whole)


class PlotTest(CliTest):
    def test_draws_one_task(self):
        write_jsonl(self.dir / "a.jsonl")
        write_jsonl(self.dir / "b.jsonl", {**HEADER, "task": "other"})
        svg = self.dir / "out.svg"
        self.assert_fails(cmbo("curves", "plot", self.dir, "--out", svg), "--tasks", "other")
        run = cmbo("curves", "plot", self.dir, "--tasks", "toy", "--out", svg)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = svg.read_text()
        self.assertTrue(text.startswith("<svg"))
        for word in ("toy", "epoch", "acc (maximize)", "lr=0.01", "1 diverge"):
            self.assertIn(word, text)

    def test_degenerate_tasks_are_drawn_too(self):
        rows = [{"config": {"lr": 1}, "curve": [None, None]}]
        path = write_jsonl(self.dir / "a.jsonl", {**HEADER, "task": "<&\u2028>"}, rows)
        run = cmbo("curves", "plot", path, "--out", self.dir / "out.svg")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("&lt;&amp;", (self.dir / "out.svg").read_text())


class ModelTest(CliTest):
    """train, evaluate and forecast with a network so small that it takes a second."""

    SMALL = ["--width", 16, "--layers", 1, "--heads", 2, "--head-width", 16, "--bars", 32,
             "--batch", 2]

    def setUp(self):
        super().setUp()
        self.data = self.dir / "data"
        cmbo("curves", "sample", "--tasks", 3, "--configs", 40, "--epochs", 12, "--out", self.data)
        self.model = self.dir / "model.safetensors"

    def train(self, *arguments):
        return cmbo("train", *self.SMALL, "--out", self.model, *arguments)

    def files(self):
        return sorted(p.name for p in self.dir.glob("model*"))

    def test_from_data_to_forecast(self):
        run = self.train("--data", self.data, "--holdout", "synthetic-3", "--steps", 30)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("held out", run.stdout)
        self.assertEqual(self.files(), ["model.safetensors", "model.safetensors.csv"])

        svg = self.dir / "log.svg"
        self.assertEqual(cmbo("train", "plot", f"{self.model}.csv", "--out", svg).returncode, 0)
        self.assertIn("held-out tasks", svg.read_text())

        judge = ["evaluate", "--model", self.model, "--data", self.data, "--asked", 5]
        self.assert_fails(cmbo(*judge), "trained on 'synthetic-1'", "--tasks")
        report = json.loads(cmbo(*judge, "--tasks", "synthetic-3", "--json").stdout)
        self.assertEqual(len(report["cells"]), 30)
        for key in ("nll", "mae", "coverage90"):
            self.assertIsInstance(report[key], float)
        self.assertAlmostEqual(sum(fate["share"] for fate in report["fates"].values()), 1.0)

        history = self.dir / "history.jsonl"
        lines = (self.data / "synthetic-3.jsonl").read_text().splitlines()[:5]
        cut = [json.loads(line) for line in lines]
        for row in cut[1:]:
            row["curve"] = row["curve"][:4]
        history.write_text("".join(json.dumps(row) + "\n" for row in cut))
        picture = self.dir / "forecast.svg"
        told = cmbo("forecast", "--model", self.model, "--history", history, "--plot", picture)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("3/12", told.stdout)
        self.assertIn("median", picture.read_text())
        curve = json.loads(cmbo("forecast", "--model", self.model, "--history", history,
                                "--json").stdout)["tasks"][0]["curves"][0]
        self.assertEqual(len(curve["quantiles"]), 9)
        for quantiles in curve["quantiles"]:
            self.assertEqual(quantiles, sorted(quantiles))

    def test_the_same_seed_gives_the_same_model(self):
        results = []
        for threads in (1, 2):
            self.assertEqual(self.train("--steps", 5, "--threads", threads).returncode, 0)
            model = self.model.read_bytes()
            results.append(model[model.rindex(b"}") + 1:])  # the weights without the card
        self.assertEqual(results[0], results[1])

    def test_training_goes_on_from_another_model(self):
        base = self.dir / "base.safetensors"
        cmbo("train", *self.SMALL, "--data", self.data, "--tasks", "synthetic-1", "--steps", 100,
             "--out", base)
        more = ["train", "--from", base, "--data", self.data, "--tasks", "synthetic-2",
                "--batch", 2, "--steps", 1, "--out", self.model]
        run = cmbo(*more)
        self.assertEqual(run.returncode, 0, run.stderr)
        judge = ["evaluate", "--data", self.data, "--asked", 5, "--json"]
        self.assert_fails(cmbo(*judge, "--model", self.model), "trained on 'synthetic-1'")
        nll = [json.loads(cmbo(*judge, "--tasks", "synthetic-3", "--model", m).stdout)["nll"]
               for m in (base, self.model)]
        self.assertAlmostEqual(*nll, delta=0.5)  # a step later it still knows what it knew
        self.assert_fails(cmbo(*more, "--width", 16), "--from", code=2)
        wide = self.dir / "wide"
        cmbo("curves", "sample", "--tasks", 1, "--dimensions", 12, "--out", wide)
        self.assert_fails(cmbo("train", "--from", base, "--data", wide, "--steps", 1, "--out",
                               self.dir / "other.safetensors"), "dimensions", "without --from")

    def test_interrupted_training_goes_on(self):
        command = [CMBO, "train", *map(str, self.SMALL), "--out", self.model, "--minutes", "0.05"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            self.assertIn("the same command goes on", process.stdout.read())
        self.assertEqual(process.returncode, 75)
        self.assertIn("model.safetensors.checkpoint", self.files())
        other = self.train("--minutes", "0.05", "--seed", 2)
        self.assert_fails(other, "checkpoint", "seed was 1, now 2")
        run = self.train("--minutes", "0.05")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("going on from step", run.stdout)
        self.assertEqual(self.files(), ["model.safetensors", "model.safetensors.csv"])

    def test_wrong_options_are_refused(self):
        self.assert_fails(self.train(), "--steps or --minutes")
        self.assert_fails(cmbo("train", "--steps", 1), "--out", code=2)
        self.assert_fails(cmbo("train", "--steps", 1, "--heads", 3, "--out", self.model), "heads")
        self.assert_fails(self.train("--steps", 1, "--data", self.data, "--holdout", "x"), "'x'")
        self.assert_fails(self.train("--steps", 1, "--data", self.dir / "none"), "No such file")

    def test_hints_need_tasks_over_the_same_configurations(self):
        self.assert_fails(self.train("--data", self.data, "--steps", 1, "--hints"),
                          "--hints: 1 task to train on over the same configurations; 3 are needed")
        self.assert_fails(self.train("--data", self.data, "--steps", 1, "--elite", 0.25),
                          "--elite: 1 task to train on over the same configurations; 3 are needed")
        self.assert_fails(self.train("--steps", 1, "--hints", "--network", "point"), "hints")
        header, *rows = map(json.loads, next(self.data.glob("*.jsonl")).read_text().splitlines())
        alike = self.dir / "alike"
        alike.mkdir()
        for k in range(4):
            stretched = [{**row, "curve": [y ** (1 + k / 4) for y in row["curve"]]} for row in rows]
            write_jsonl(alike / f"{k}.jsonl", {**header, "task": f"alike-{k}"}, stretched)
        run = self.train("--data", alike, "--holdout", "alike-3", "--steps", 3, "--hints",
                         "--elite", 0.25)
        self.assertEqual(run.returncode, 0, run.stderr)
        judged = cmbo("evaluate", "--model", self.model, "--data", alike, "--tasks", "alike-3")
        self.assertEqual(judged.returncode, 0, judged.stderr)
        told = cmbo("forecast", "--model", self.model, "--history", alike / "3.jsonl")
        self.assertEqual(told.returncode, 0, told.stderr)

    def test_training_that_diverges_says_so(self):
        self.assert_fails(self.train("--steps", 5, "--lr", 1e30), "diverged", "lower --lr")
        self.assertNotIn("model.safetensors", self.files())

    def test_damaged_models_are_refused(self):
        self.train("--steps", 1)
        whole = self.model.read_bytes()
        judge = ["evaluate", "--model", self.model, "--data", self.data]
        for damaged in (b"", whole[:100], whole[:-1], whole + b"x", b"\0" * 1000):
            self.model.write_bytes(damaged)
            self.assert_fails(cmbo(*judge), "model.safetensors")


class DecideTest(CliTest):
    """Decisions from futures that are given, worked out by hand: U = y - b/8."""

    STATE = {"horizon": 3, "budget": 8, "utility": {"alpha": 0.125},
             "steps": [{"configuration": 0, "epoch": 1, "value": 0.75},
                       {"configuration": 0, "epoch": 2, "value": 0.75}],
             "samples": [{"configuration": 0, "curves": [[0.75], [1.0]]},
                         {"configuration": 1, "curves": [[0.5, 1, 1], [0, 1, 1]]}]}

    def decide(self, *arguments, **changes):
        path = self.dir / "state.json"
        path.write_text(json.dumps({**self.STATE, **changes}))
        return cmbo("decide", "--input", path, *arguments)

    def answer(self, **changes):
        run = self.decide("--json", **changes)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return json.loads(run.stdout)

    def test_goes_on(self):
        steps = self.STATE["steps"][:1]
        samples = [{"configuration": 0, "curves": [[0.75, 1], [0.75, 0.75]]},
                   {"configuration": 1, "curves": [[1, 1, 1], [0.5, 1, 1]]}]
        answer = self.answer(steps=steps, samples=samples)
        self.assertEqual(answer["reason"], "starting configuration 1 for 1 epoch is expected to "
                                           "raise the utility by 0.062")

    def test_the_largest_gain_is_next_after_any_number_of_starts(self):
        steps = [{"configuration": n, "epoch": 1, "value": 0.5} for n in range(4)]
        samples = [{"configuration": n, "curves": [[0.75, 0.75]]} for n in range(4)]
        samples.append({"configuration": 4, "curves": [[1, 1, 1]]})
        answer = self.answer(steps=steps, samples=samples, stopping={"rule": "never"})
        self.assertEqual((answer["choice"]["configuration"], answer["choice"]["acquisition"]),
                         (4, 0.375))

    def test_all_numbers(self):
        answer = self.answer(stopping={"rule": "never"})
        self.assertEqual(answer, {
            "stop": False, "step": 3, "spent": 2, "best": 0.75, "utility": 0.5,
            "reason": "going on with configuration 0 for 1 epoch is expected to raise the utility "
                      "by 0.062 (chance 50 %)",
            "regret": 0.125 / 0.875, "threshold": answer["threshold"],
            "look": {"gain": 0.125, "price": 0.125},
            "choice": {"configuration": 0, "epoch": 3, "acquisition": 0.0625, "further_epochs": 0,
                       "probability": 0.5},
            "runners_up": [{"configuration": 1, "acquisition": 0, "further_epochs": 0,
                            "probability": 0}]})
        self.assertAlmostEqual(answer["threshold"], 0.2)

    def test_stops(self):
        self.assertFalse(self.answer()["stop"])
        answer = self.answer(stopping={"gamma": 4})
        self.assertTrue(answer["stop"])
        self.assertEqual(answer["reason"], "stop: the utility is 0.12 below its best (regret 0.14 "
                                           "> 0.062), and the chance to improve is 50 %")
        answer = self.answer(budget=2)
        self.assertEqual(answer["reason"], "stop: the budget of 2 is spent")
        self.assertIsNone(answer["choice"])
        done = [*self.STATE["steps"], {"configuration": 0, "epoch": 3, "value": 0.75}]
        answer = self.answer(steps=done, samples=[])
        self.assertEqual(answer["reason"], "stop: every configuration is fully trained")

    def test_for_people(self):
        run = self.decide()
        self.assertIn("going on with configuration 0", run.stdout)
        self.assertIn("step 3, utility 0.5, regret 0.1429", run.stdout)

    def test_bad_input(self):
        self.assert_fails(cmbo("decide"), "--input", code=2)
        self.assert_fails(self.decide(horizon=4), "state.json: samples[0].curves[0]: has 1 values")
        path = self.dir / "broken.json"
        path.write_text('{"horizon": NaN}')
        self.assert_fails(cmbo("decide", "--input", path), "broken.json")


class ReplayTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.dir / "toys"
        cmbo("curves", "sample", "--tasks", 3, "--configs", 30, "--epochs", 9, "--out", self.data)
        self.out = self.dir / "replay"

    def replay(self, *arguments, method="random,asha"):
        return cmbo("replay", "--data", self.data, "--method", method, "--out", self.out,
                    "--budget", 40, "--alpha", "0,1e-3", *arguments)

    def share_a_pool(self):
        """Makes the configurations of all tasks those of the first."""
        files = sorted(self.data.glob("*.jsonl"))
        tasks = [[json.loads(line) for line in file.read_text().splitlines()] for file in files]
        for file, task in zip(files, tasks):
            task[0]["parameters"] = tasks[0][0]["parameters"]
            for row, first in zip(task[1:], tasks[0][1:]):
                row["config"] = first["config"]
            write_jsonl(file, task[0], task[1:])

    def test_table_json_and_trajectories(self):
        run = self.replay("--seeds", 2)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("toys · 3 tasks · α = 0.001", run.stdout)
        self.assertIn("regret ×100", run.stdout)
        results = json.loads(self.replay("--seeds", 2, "--json").stdout)["results"]
        self.assertEqual([(r["method"], r["alpha"]) for r in results],
                         [("random", 0), ("asha", 0), ("random", 1e-3), ("asha", 1e-3)])
        for result in results:
            self.assertEqual(len(result["tasks"]), 3)
            self.assertTrue(0 <= result["best_on_path"] <= result["regret"]["mean"] <= 1)
            self.assertTrue(1 <= result["rank"] <= 2)
            self.assertIsInstance(result["regret"]["std"], float)
        self.assertEqual(results[0]["steps"], 40)
        lines = (self.out / "trajectories.csv").read_text().splitlines()
        self.assertTrue(lines[0].startswith("benchmark,task,method,alpha,seed,step,configuration,"))
        self.assertEqual(len(lines), 1 + 2 * sum(3 * r["steps"] for r in results))

    def test_finished_runs_are_not_done_again(self):
        whole = self.replay("--seeds", 2, "--json").stdout
        log = self.out / "runs.jsonl"
        text = log.read_text()
        lines = text.splitlines(keepends=True)
        self.assertEqual(len(lines), 3 * 2 * 2 * 2)
        log.write_text("".join(lines[:10]) + lines[10][:100])
        again = json.loads(self.replay("--seeds", 2, "--json").stdout)
        self.assertEqual(log.read_text().splitlines()[:10], [line.strip() for line in lines[:10]])
        self.assertEqual(len(log.read_text().splitlines()), len(lines))
        for one, other in zip(json.loads(whole)["results"], again["results"]):
            self.assertEqual((one["regret"], one["tasks"]), (other["regret"], other["tasks"]))
        self.assertEqual(self.replay("--seeds", 2, "--threads", 1).returncode, 0)
        self.assertEqual(len(log.read_text().splitlines()), len(lines))

    def test_an_interrupted_replay_goes_on(self):
        command = [CMBO, "replay", "--data", self.data, "--method", "asha", "--out", self.out,
                   "--seeds", "10000", "--budget", "200"]
        path = self.out / "runs.jsonl"
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE,
                              text=True) as process:
            while process.poll() is None and not (path.exists() and path.stat().st_size > 0):
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            self.assertIn("the same command goes on", process.stdout.read())
        self.assertEqual(process.returncode, 75)
        log = path.read_text()
        self.assertTrue(log.endswith("\n"))
        for line in log.splitlines():
            json.loads(line)

    def test_models_and_rankings_judge_unseen_tasks_only(self):
        self.share_a_pool()
        model = self.dir / "model.safetensors"
        cmbo("train", "--width", 16, "--layers", 1, "--heads", 2, "--bars", 16, "--steps", 2,
             "--data", self.data, "--holdout", "synthetic-3", "--out", model)
        self.assert_fails(self.replay("--model", model, method="cmbo"), "trained on 'synthetic-1'",
                          "--tasks")
        run = self.replay("--model", model, "--tasks", "synthetic-3", "--json",
                          method="cmbo,ranking,random")
        self.assertEqual(run.returncode, 0, run.stderr)
        results = json.loads(run.stdout)["results"]
        self.assertEqual([r["seeds"] for r in results], [1, 1, 5] * 2)
        self.assertIsNone(results[0]["regret"]["std"])
        self.assert_fails(self.replay("--train-tasks", "synthetic-1", "--tasks", "synthetic-1",
                                      method="ranking"), "'synthetic-1' cannot be trained on")
        two = self.dir / "two.safetensors"
        cmbo("train", "--width", 16, "--layers", 1, "--heads", 2, "--bars", 16, "--steps", 2,
             "--data", self.data, "--holdout", "synthetic-1,synthetic-2", "--out", two)
        folds = self.replay("--model", f"{model},{two}", "--json", method="cmbo,ranking")
        self.assertEqual(folds.returncode, 0, folds.stderr)
        self.assertEqual(len(json.loads(folds.stdout)["results"][0]["tasks"]), 3)

    def test_runs_by_other_sampled_curves_are_other_runs(self):
        model = self.dir / "model.safetensors"
        cmbo("train", "--width", 16, "--layers", 1, "--heads", 2, "--bars", 16, "--steps", 2,
             "--prior", 1, "--out", model)
        for curves, runs in ((16, 6), (16, 6), (24, 12)):
            run = self.replay("--model", model, "--curves", curves, method="cmbo")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(len((self.out / "runs.jsonl").read_text().splitlines()), runs)
        self.assert_fails(self.replay("--model", model, "--curves", 0, method="cmbo"), "--curves",
                          code=2)

    def test_all_methods_at_a_glance(self):
        self.share_a_pool()
        small = ("--width", 16, "--layers", 1, "--heads", 2, "--bars", 16, "--steps", 2)
        model, prior = self.dir / "model.safetensors", self.dir / "prior.safetensors"
        cmbo("train", *small, "--data", self.data, "--holdout", "synthetic-3", "--out", model)
        cmbo("train", *small, "--prior", 1, "--out", prior)
        command = ("replay", "--data", self.data, "--method", "all", "--quick", "--alpha", 0,
                   "--tasks", "synthetic-3", "--model", model, "--budget", 8, "--out", self.out)
        run = cmbo(*command, "--prior-model", prior, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        results = {r["method"]: r for r in json.loads(run.stdout)["results"]}
        self.assertLessEqual({"random", "hyperband", "bohb", "dehb", "ifbo", "cmbo"}, set(results))
        self.assertEqual({r["seeds"] for r in results.values()}, {1})
        self.assert_fails(cmbo(*command, "--prior-model", model), "--prior-model", "--prior 1")
        self.assert_fails(cmbo(*command, "--prior-model", self.dir / "none"), "--prior-model")

    def test_a_quick_replay_has_three_tasks_and_one_seed(self):
        cmbo("curves", "sample", "--tasks", 4, "--configs", 10, "--epochs", 3, "--out",
             self.dir / "four")
        run = cmbo("replay", "--data", self.dir / "four", "--method", "hyperband", "--quick",
                   "--alpha", 0, "--out", self.out, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len((self.out / "runs.jsonl").read_text().splitlines()), 3)

    def test_figures(self):
        self.assertEqual(self.replay("--seeds", 1, "--no-stop").returncode, 0)
        pictures = self.dir / "figures"
        run = cmbo("replay", "plot", "--runs", self.out, "--out", pictures)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("22 pictures", run.stdout)
        svg = (pictures / "regret-toys-0.001.svg").read_text()
        for word in ("asha", "random", "normalized regret", "step"):
            self.assertIn(word, svg)
        self.replay("--seeds", 1)
        self.assert_fails(cmbo("replay", "plot", "--runs", self.out, "--out", pictures),
                          "different options", "--out")

    def test_wrong_options_are_refused(self):
        self.assert_fails(cmbo("replay"), "--data", code=2)
        self.assert_fails(self.replay(method="magic"), "magic", code=2)
        self.assert_fails(self.replay(method="cmbo"), "--model")
        self.assert_fails(self.replay(method="random,random"), "twice")
        self.assert_fails(self.replay(method="ranking"), "--train-tasks")
        self.assert_fails(self.replay("--train-tasks", "synthetic-1", method="ranking"),
                          "same configurations")
        self.assert_fails(self.replay("--tasks", "x"), "'x'", "synthetic-1")
        self.assert_fails(self.replay("--beta", -1), "beta")
        self.assert_fails(cmbo("replay", "--data", self.data, "--method", "random", "--alpha", "-1",
                               "--out", self.out), "--alpha")
        self.out.mkdir()
        (self.out / "runs.jsonl").write_text("{}\n")
        self.assert_fails(self.replay(), "runs.jsonl:1:", "remove this line")

    def test_curves_that_end_early_are_refused(self):
        write_jsonl(self.data / "short.jsonl")
        self.assert_fails(self.replay(), "'toy': curve 3 ends at epoch 1 of 3", "--tasks")


if __name__ == "__main__":
    unittest.main()
