// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curves/format_testing.h"
#include "curves/formats.h"

namespace cmbo::curves {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Line {
  std::string dataset = "\"imagenet\"";
  std::string model = "\"resnet\"";
  std::string status = "\"done\"";
  std::string rates = "[1.0, 0.5]";
  std::string batch_size = "512";
  std::string momentum = "0.9";
  std::string learning_rate = "0.1";
  std::string more = "";

  std::string text() const {
    return fmt::format(
        R"({{"dataset": {}, "model": {}, "status": {}, "valid/error_rate": {}, "hps.batch_size": {}, )"
        R"("hps.opt_hparams.momentum": {}, "hps.lr_hparams.initial_value": {}, )"
        R"("hps.lr_hparams.power": 1.5, "hps.lr_hparams.decay_steps_factor": 0.5, )"
        R"("train/ce_loss": [NaN, Infinity], "study_group": "NaN \" x", "hps": null{}}})"
        "\n",
        dataset, model, status, rates, batch_size, momentum, learning_rate, more);
  }
};

Status read_pd1(ByteSource& source, CurveSet& set) {
  Pd1Reader reader;
  CMBO_RETURN_IF_ERROR(reader.read(source, "pd1.jsonl"));
  return reader.finish(set);
}

std::string pd1_outcome(const std::string& text, size_t portion = 1 << 20) {
  PortionedSource source(text, portion);
  return outcome_of(source, read_pd1);
}

CurveSet read_text(const std::string& text) {
  CurveSet set;
  const Status status = read_pd1(*source_from_string(text), set);
  EXPECT_TRUE(status.ok()) << status.error().message();
  return set;
}

TEST(Pd1Test, ReadsARunAsPublished) {
  const CurveSet set = read_text(Line{}.text());
  ASSERT_EQ(set.tasks.size(), 1u);
  const Task& task = set.tasks[0];
  EXPECT_EQ(task.name(), "imagenet_resnet_batch_size_512");
  EXPECT_EQ(task.header().metric, "valid_error_rate");
  EXPECT_EQ(task.header().goal, Goal::kMinimize);
  EXPECT_EQ(task.header().first_epoch, 0);
  EXPECT_EQ(task.header().last_epoch, 50);
  ASSERT_EQ(task.curve(0).size(), 51u);
  EXPECT_FLOAT_EQ(task.curve(0)[0], 1.0f);
  EXPECT_FLOAT_EQ(task.curve(0)[25], 0.75f);
  EXPECT_FLOAT_EQ(task.curve(0)[50], 0.5f);
  EXPECT_EQ(task.configuration(0)[0], 0.1);
  EXPECT_EQ(task.configuration(0)[1], 1.5);
  EXPECT_EQ(task.configuration(0)[2], 0.5);
  EXPECT_NEAR(task.configuration(0)[3], 0.1, 1e-12);
}

TEST(Pd1Test, InterpolatesOverTheSteps) {
  // The value falls from 1 to 0 within the first tenth of the steps and stays.
  const std::string rates = "[1.0, 0.0, 0.0]";
  const auto at_25 = [&](const std::string& steps) {
    return read_text(Line{.rates = rates, .more = steps}.text()).tasks[0].curve(0)[15];
  };
  EXPECT_FLOAT_EQ(at_25(R"(, "global_step": [0, 100, 1000])"), 0.0f);
  const float over_index = 0.4f;
  EXPECT_FLOAT_EQ(at_25(""), over_index);
  EXPECT_FLOAT_EQ(at_25(R"(, "global_step": [0, 100])"), over_index);
  EXPECT_FLOAT_EQ(at_25(R"(, "global_step": [0, 100, 100])"), over_index);
  EXPECT_FLOAT_EQ(at_25(R"(, "global_step": [0, null, 1000])"), over_index);
  EXPECT_FLOAT_EQ(at_25(R"(, "global_step": {"a": 0, "b": 100, "c": 1000})"), over_index);
}

TEST(Pd1Test, NamesTasksByActivation) {
  const CurveSet set = read_text(Line{.dataset = "\"mnist\"",
                                      .model = "\"max_pooling_cnn\"",
                                      .batch_size = "256",
                                      .more = R"(, "hps.activation_function": "relu")"}
                                     .text() +
                                 Line{.dataset = "\"mnist\"",
                                      .model = "\"max_pooling_cnn\"",
                                      .batch_size = "256.0",
                                      .more = R"(, "hps.activation_fn": "tanh")"}
                                     .text() +
                                 Line{.dataset = "\"mnist\"",
                                      .model = "\"simple_cnn\"",
                                      .more = R"(, "hps.activation_fn": "tanh")"}
                                     .text());
  EXPECT_NE(set.find("mnist_max_pooling_cnn_relu_batch_size_256"), nullptr);
  EXPECT_NE(set.find("mnist_max_pooling_cnn_tanh_batch_size_256"), nullptr);
  EXPECT_NE(set.find("mnist_simple_cnn_batch_size_512"), nullptr);
}

TEST(Pd1Test, DropsDivergedAndIncompleteRuns) {
  const CurveSet set = read_text(Line{.status = "\"diverged\""}.text() +
                                 Line{.rates = "[0.5]", .learning_rate = "0.2"}.text() +
                                 Line{.rates = "[]", .learning_rate = "0.2"}.text() +
                                 Line{.rates = "null", .learning_rate = "0.2"}.text() +
                                 Line{.rates = "[0.5, null, 0.1]", .learning_rate = "0.2"}.text() +
                                 Line{.rates = "[0.5, NaN]", .learning_rate = "0.2"}.text() +
                                 "\r\n" + Line{.learning_rate = "0.3"}.text());
  ASSERT_EQ(set.tasks.at(0).size(), 1u);
  EXPECT_EQ(set.tasks[0].configuration(0)[0], 0.3);
  EXPECT_THAT(pd1_outcome(Line{.status = "\"diverged\""}.text()),
              AllOf(StartsWith("pd1.jsonl: holds no complete run"), HasSubstr("fetch")));
}

TEST(Pd1Test, ALaterRunReplacesAnEarlierOneAcrossFiles) {
  Pd1Reader reader;
  ASSERT_TRUE(reader.read(*source_from_string(Line{}.text()), "a").ok());
  ASSERT_TRUE(reader
                  .read(*source_from_string(Line{.rates = "[0.4, 0.2]"}.text() +
                                            Line{.momentum = "0.5"}.text()),
                        "b")
                  .ok());
  CurveSet set;
  ASSERT_TRUE(reader.finish(set).ok());
  ASSERT_EQ(set.tasks.at(0).size(), 2u);
  EXPECT_FLOAT_EQ(set.tasks[0].curve(0)[50], 0.2f);
}

TEST(Pd1Test, IsTheSameInSmallPortions) {
  const std::string text =
      Line{}.text() + Line{.rates = "[0.5, 0.25, 0.125]", .momentum = "0"}.text();
  const std::string whole = pd1_outcome(text);
  EXPECT_THAT(whole, HasSubstr("0.125000"));
  for (const size_t portion : {1, 7}) EXPECT_EQ(pd1_outcome(text, portion), whole) << portion;
}

TEST(Pd1Test, NamesTheLineOfWhatIsWrong) {
  const auto second = [](const Line& line) { return pd1_outcome(Line{}.text() + line.text()); };
  const auto place = [](const std::string& problem) {
    return AllOf(StartsWith("pd1.jsonl:2: "), HasSubstr(problem));
  };
  EXPECT_THAT(second({.dataset = "3"}),
              place("'dataset' must be text, not a number; correct it or"));
  EXPECT_THAT(second({.model = "\"\""}), place("'model' must be text, not empty"));
  EXPECT_THAT(second({.model = "\"max_pooling_cnn\""}),
              place("'hps.activation_function' must be text, not null"));
  EXPECT_THAT(second({.status = "\"running\""}), place("done or diverged, not 'running'; correct"));
  EXPECT_THAT(second({.rates = "[0.5, 1.5]"}), place("1.5 is no error rate in [0, 1]; correct"));
  EXPECT_THAT(second({.rates = "[0.5, \"NaN\"]"}),
              place("valid/error_rate: value 1 must be a number, not text"));
  EXPECT_THAT(second({.rates = "{}"}), place("must be a list of numbers, not an object"));
  EXPECT_THAT(second({.batch_size = "2.5"}), place("'hps.batch_size' must be a whole number"));
  EXPECT_THAT(second({.batch_size = "1e30"}), place("'hps.batch_size' must be a whole number"));
  EXPECT_THAT(second({.momentum = "1.5"}),
              place("'one_minus_momentum' = -0.5 is outside its range"));
  EXPECT_THAT(second({.momentum = "\"0.9\""}), place("momentum' must be a number, not text"));
  EXPECT_THAT(second({.more = ", \"dataset\": 1"}), place("dataset: the key stands twice; remove"));
  EXPECT_THAT(pd1_outcome(Line{}.text() + Line{}.text().substr(0, 100)),
              place("not valid JSON at byte 100"));
  EXPECT_THAT(pd1_outcome(Line{}.text() + "\"\xff\"\n"), place("UTF-8"));
  EXPECT_THAT(pd1_outcome(Line{}.text() + "[1]\n"), place("must be an object, not a list"));
  EXPECT_THAT(pd1_outcome(""), HasSubstr("holds no complete run"));
}

}  // namespace
}  // namespace cmbo::curves
