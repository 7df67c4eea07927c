// SPDX-License-Identifier: Apache-2.0
//
// A small training in Python that makes one mistake at a time.
#include "runner/resume_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/runner_testing.h"

namespace cmbo::runner {
namespace {

using testing::HasSubstr;

// A line is fitted by gradient descent with momentum; the loss is on points held out.
constexpr const char* kScript = R"(
import json, math, os, random, sys
mistake = sys.argv[1]
start, target, horizon, seed = (int(os.environ["CMBO_" + name]) for name in
                                ("START_STEP", "TARGET_STEP", "MAX_STEP", "SEED"))
path = os.environ["CMBO_CHECKPOINT_DIR"] + "/state.json"
state = {"w": [0.0, 0.0], "v": [0.0, 0.0]}
draw = random.Random(seed)
points = [(x, 3 * x + 1 + draw.gauss(0, 0.5)) for x in [draw.uniform(-1, 1) for _ in range(40)]]
random.Random(seed + start if mistake == "split" else seed).shuffle(points)
train, valid = points[:20], points[20:]
loaded = os.path.exists(path) and mistake not in ("restart", "silent")
if loaded:
    state = json.load(open(path))
    if mistake == "optimizer":
        state["v"] = [0.0, 0.0]
first = {"restart": 1, "repeat": max(start, 1)}.get(mistake, start + 1)
for step in range(first, target + 1):
    end = target if mistake == "schedule" else horizon
    rate = 0.05 * (1 + math.cos(math.pi * step / (end + 1)))
    order = list(train)
    random.Random(seed + step).shuffle(order)
    for x, y in order:
        error = state["w"][0] * x + state["w"][1] - y
        for i, g in enumerate((error * x, error)):
            state["v"][i] = 0.9 * state["v"][i] - 0.1 * rate * g
            state["w"][i] += state["v"][i]
    loss = sum((state["w"][0] * x + state["w"][1] - y) ** 2 for x, y in valid) / len(valid)
    if mistake == "noise":
        loss *= random.uniform(0.999, 1.001)
    if mistake == "crash":
        raise ValueError("nothing works")
    json.dump(state, open(path, "w"))
    print('@cmbo ' + json.dumps({"step": step, "loss": loss}))
)";

struct MistakeCase {
  const char* mistake;
  ResumeFinding finding;
};

class ResumeRunTest : public testing::TestWithParam<MistakeCase> {
 protected:
  ResumeVerdict check(const std::string& mistake, Mode mode = Mode::kSlice) {
    write_text(directory_ / "train.py", kScript);
    const Json words = {"python3", "-S", (directory_ / "train.py").string(), mistake};
    Runner runner(Command::from_json(words, {}).value(), ReportRules{.metric = "loss"},
                  {.mode = mode}, real_file_system(), system_clock());
    SliceRequest request;
    request.directory = directory_ / "check";
    request.max_step = 10;
    request.seed = 4;
    return check_resumption(runner, request).value();
  }

  TemporaryDirectory directory_;
};

TEST_P(ResumeRunTest, IsFound) {
  const ResumeVerdict verdict = check(GetParam().mistake);
  EXPECT_EQ(verdict.finding, GetParam().finding)
      << GetParam().mistake << ": " << verdict.explanation << "; " << verdict.remedy;
}

INSTANTIATE_TEST_SUITE_P(Mistakes, ResumeRunTest,
                         testing::Values(MistakeCase{"none", ResumeFinding::kResumes},
                                         MistakeCase{"noise", ResumeFinding::kResumes},
                                         MistakeCase{"restart", ResumeFinding::kRestarts},
                                         MistakeCase{"silent", ResumeFinding::kRestarts},
                                         MistakeCase{"repeat", ResumeFinding::kRepeatsStep},
                                         MistakeCase{"optimizer", ResumeFinding::kLostState},
                                         MistakeCase{"split", ResumeFinding::kOtherData},
                                         MistakeCase{"schedule", ResumeFinding::kDependsOnSlice}),
                         [](const auto& tested) { return std::string(tested.param.mistake); });

using ResumeFailureTest = ResumeRunTest;

TEST_F(ResumeFailureTest, ATrainingThatFailsSaysWhy) {
  const ResumeVerdict verdict = check("crash");
  EXPECT_EQ(verdict.finding, ResumeFinding::kIncomplete);
  EXPECT_THAT(verdict.explanation,
              HasSubstr("whole, steps 1 to 2: the training exited with code 1"));
  EXPECT_THAT(verdict.explanation, HasSubstr("nothing works"));
}

TEST_F(ResumeFailureTest, ResidentProcessesDoNotHideMistakes) {
  EXPECT_EQ(check("none", Mode::kResident).finding, ResumeFinding::kResumes);
  EXPECT_EQ(check("optimizer", Mode::kResident).finding, ResumeFinding::kLostState);
}

}  // namespace
}  // namespace cmbo::runner
