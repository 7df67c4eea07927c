// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curves/format_testing.h"
#include "curves/formats.h"

namespace cmbo::curves {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ReadOptions maximize() {
  ReadOptions options;
  options.goal = Goal::kMaximize;
  options.metric = "accuracy";
  return options;
}

std::string csv_outcome(const std::string& text, const ReadOptions& options = maximize(),
                        size_t portion = 1 << 20) {
  PortionedSource source(text, portion);
  return outcome_of(
      source, [&](ByteSource& s, CurveSet& set) { return read_csv(s, "runs.csv", options, set); });
}

CurveSet csv_curves(const std::string& text, const ReadOptions& options = maximize()) {
  CurveSet set;
  const Status status = read_csv(*source_from_string(text), "runs.csv", options, set);
  EXPECT_TRUE(status.ok()) << status.error().message();
  return set;
}

// The inferred parameter of a column with these cells.
std::string inferred(const std::string& cells) {
  std::string text = "x,task,epoch,value\n";
  for (size_t begin = 0; begin <= cells.size();) {
    const size_t end = std::min(cells.find(' ', begin), cells.size());
    text += cells.substr(begin, end - begin) + ",t,1,0\n";
    begin = end + 1;
  }
  CurveSet set;
  const Status status = read_csv(*source_from_string(text), "runs.csv", maximize(), set);
  return status.ok() ? set.tasks.at(0).space().to_json()["x"].dump() : status.error().message();
}

TEST(CsvTest, GathersRowsInAnyOrder) {
  const CurveSet set = csv_curves(
      "\xef\xbb\xbf"
      "epoch,lr,task,value,opt\r\n"
      "2,0.1,b,0.4,sgd\r\n"
      "1,0.1,a,0.1,sgd\r\n"
      "\r\n"
      "1,0.1,b,0.3,sgd\r\n"
      "1,0.2,b,nan,adam\r\n"
      "2,0.2,b,,adam\r\n"
      "3,0.2,b,-inf,adam");
  ASSERT_EQ(set.tasks.size(), 2u);
  EXPECT_EQ(set.tasks[0].name(), "b");
  EXPECT_EQ(set.tasks[0].header().metric, "accuracy");
  EXPECT_EQ(set.tasks[0].header().first_epoch, 1);
  EXPECT_EQ(set.tasks[0].header().last_epoch, 3);
  EXPECT_EQ(set.tasks[1].header().last_epoch, 1);
  ASSERT_EQ(set.tasks[0].size(), 2u);
  EXPECT_THAT(set.tasks[0].curve(0), ::testing::ElementsAre(0.3f, 0.4f));
  EXPECT_EQ(set.tasks[0].curve(1).size(), 3u);
  for (const float value : set.tasks[0].curve(1)) EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(set.tasks[0].space().to_json().dump(), set.tasks[1].space().to_json().dump());
  EXPECT_EQ(set.tasks[0].space().to_json().dump(),
            R"({"lr":{"type":"float","low":0.1,"high":0.2,"log":false},)"
            R"("opt":{"type":"categorical","choices":["adam","sgd"]}})");
}

TEST(CsvTest, KeepsTheValueBeforeTraining) {
  const CurveSet set = csv_curves("task,epoch,value\na,1,5\na,0,7\n");
  EXPECT_EQ(set.tasks[0].header().first_epoch, 0);
  EXPECT_EQ(set.tasks[0].curve(0)[0], 7.0f);
}

TEST(CsvTest, UnderstandsQuotes) {
  const CurveSet set =
      csv_curves("task,\"a,b\",epoch,value\n\"x\"\"y\",\"1\n2\",\"1\",\"5\"\n\"\"\"\",\"\",1,5\n");
  EXPECT_EQ(set.tasks[0].name(), "x\"y");
  EXPECT_EQ(set.tasks[1].name(), "\"");
  EXPECT_EQ(set.tasks[0].space().to_json().dump(),
            R"({"a,b":{"type":"const","value":"1\n2","optional":true}})");
  EXPECT_TRUE(set.tasks[0].configuration(0).is_active(0));
  EXPECT_FALSE(set.tasks[1].configuration(0).is_active(0));
}

TEST(CsvTest, InfersTypesAndScales) {
  EXPECT_EQ(inferred("3 1 2"), R"({"type":"int","low":1,"high":3,"log":false})");
  EXPECT_EQ(inferred("16 1.6e4"), R"({"type":"int","low":16,"high":16000,"log":true})");
  EXPECT_EQ(inferred("16 15999"), R"({"type":"int","low":16,"high":15999,"log":false})");
  EXPECT_EQ(inferred("0 15999"), R"({"type":"int","low":0,"high":15999,"log":false})");
  EXPECT_EQ(inferred("1e-5 +0.1 1"), R"({"type":"float","low":1e-05,"high":1.0,"log":true})");
  EXPECT_EQ(inferred("1e15 1"), R"({"type":"float","low":1.0,"high":1e+15,"log":true})");
  EXPECT_EQ(inferred("true false"), R"({"type":"categorical","choices":[false,true]})");
  EXPECT_EQ(inferred("True 10 9"), R"({"type":"categorical","choices":["10","9","True"]})");
  EXPECT_EQ(inferred("nan 1"), R"({"type":"categorical","choices":["1","nan"]})");
  EXPECT_EQ(inferred("5"), R"({"type":"const","value":5})");
  EXPECT_EQ(inferred("0.5 "), R"({"type":"const","value":0.5,"optional":true})");
  EXPECT_EQ(inferred("1  3"), R"({"type":"int","low":1,"high":3,"log":false,"optional":true})");
  EXPECT_THAT(inferred(""),
              AllOf(StartsWith("runs.csv: column 'x': "), HasSubstr("remove the column")));
  EXPECT_THAT(inferred("1e308 -1e308"), AllOf(HasSubstr("x"), HasSubstr("too wide")));
}

TEST(CsvTest, UsesAGivenSpace) {
  ReadOptions options = maximize();
  options.space = space::Space::from_yaml(R"(
opt: {type: categorical, choices: [sgd, adam, 3, true]}
m: {type: float, low: 0, high: 1, when: {opt: sgd}}
unused: {type: int, low: 0, high: 1, optional: true})")
                      .value();
  const CurveSet set = csv_curves(
      "m,opt,task,epoch,value\n0.5,sgd,a,1,1\n,adam,a,1,1\n,3.0,a,1,1\n,true,a,1,1\n", options);
  const Task& task = set.tasks[0];
  ASSERT_EQ(task.size(), 4u);
  EXPECT_EQ(task.configuration(0)[1], 0.5);
  EXPECT_EQ(task.configuration(1)[0], 1.0);
  EXPECT_FALSE(task.configuration(1).is_active(1));
  EXPECT_EQ(task.configuration(2)[0], 2.0);
  EXPECT_EQ(task.configuration(3)[0], 3.0);
  const auto problem = [&](const std::string& text) { return csv_outcome(text, options); };
  EXPECT_THAT(problem("m,opt,task,epoch,value\n,sgd,a,1,1\n"),
              StartsWith("runs.csv:2: 'm' is missing; fill"));
  EXPECT_THAT(problem("m,opt,task,epoch,value\n0.1,adam,a,1,1\n"), HasSubstr("empty the cell"));
  EXPECT_THAT(problem("m,opt,task,epoch,value\n2,sgd,a,1,1\n"),
              HasSubstr("runs.csv:2: 'm' = 2 is outside"));
  EXPECT_THAT(problem("m,opt,task,epoch,value\nx,sgd,a,1,1\n"),
              HasSubstr("'m' must be a number, not 'x'"));
  EXPECT_THAT(problem("m,opt,task,epoch,value\n,rms,a,1,1\n"),
              HasSubstr("is not a choice of 'opt'"));
  EXPECT_THAT(problem("opt,y,task,epoch,value\nadam,1,a,1,1\n"),
              StartsWith("runs.csv:1: the column 'y' is not"));
  EXPECT_THAT(problem("m,task,epoch,value\n1,a,1,1\n"),
              HasSubstr("'opt' of the space has no column; add"));
}

TEST(CsvTest, IsTheSameInSmallPortions) {
  const std::string text = "task,x,epoch,value\r\n\"a\"\"\r\nb\",1,1,0.5\r\n\xc3\xa9,2,1,0.25\r\n";
  const std::string whole = csv_outcome(text);
  EXPECT_THAT(whole, AllOf(HasSubstr("0.250000"), HasSubstr("\xc3\xa9 accuracy")));
  for (const size_t portion : {1, 2, 3, 7})
    EXPECT_EQ(csv_outcome(text, maximize(), portion), whole) << portion;
}

TEST(CsvTest, NeedsAGoal) {
  EXPECT_THAT(csv_outcome("task,epoch,value\na,1,1\n", {}),
              AllOf(HasSubstr("runs.csv: a CSV file does not say"),
                    HasSubstr("give --goal maximize or --goal minimize")));
}

TEST(CsvTest, ChecksTheHeader) {
  EXPECT_THAT(csv_outcome(""), HasSubstr("runs.csv: the file is empty; give it a header line"));
  EXPECT_THAT(csv_outcome("task,epoch,value\n"), HasSubstr("no row follows the header; add"));
  EXPECT_THAT(csv_outcome("\ntask,epoch\n"),
              AllOf(StartsWith("runs.csv:2: there is no column 'value'"), HasSubstr("must name")));
  EXPECT_THAT(csv_outcome("task,epoch,value,x,x\n"),
              HasSubstr("the column 'x' stands twice; remove"));
  EXPECT_THAT(csv_outcome("task,epoch,value,\n"), HasSubstr("column 4 has no name; give"));
  EXPECT_THAT(csv_outcome(std::string(300, ',')), HasSubstr("more than 256 columns; remove"));
}

TEST(CsvTest, NamesTheLineOfWhatIsWrong) {
  const auto second = [](const std::string& rows) {
    return csv_outcome("task,x,epoch,value\n" + rows);
  };
  EXPECT_THAT(second("a,1,1,1\na,1,2\n"),
              StartsWith("runs.csv:3: 3 cells, but the header line has 4; correct"));
  EXPECT_THAT(second("a,1,one,1\n"), StartsWith("runs.csv:2: epoch 'one' must be a whole number"));
  EXPECT_THAT(second("a,1,1.5,1\n"), HasSubstr("epoch '1.5' must be a whole number"));
  EXPECT_THAT(second("a,1,-1,1\n"), HasSubstr("epoch '-1'"));
  EXPECT_THAT(second("a,1,1e9,1\n"), HasSubstr("from 0 to 100000; correct"));
  EXPECT_THAT(second("a,1,1,high\n"), HasSubstr("value 'high' must be a number, or nan"));
  EXPECT_THAT(second(",1,1,1\n"), HasSubstr("'task' is empty; name"));
  EXPECT_THAT(
      second("a,1,1,1\na,1,4,1\na,1,2,1\n"),
      StartsWith("runs.csv:3: epoch 3 of this configuration is missing before epoch 4; add"));
  EXPECT_THAT(second("a,1,2,1\n"), HasSubstr("epoch 1 of this configuration is missing"));
  EXPECT_THAT(second("a,1,0,1\na,1,1,1\na,2,1,1\n"), StartsWith("runs.csv:4: epoch 0 of this"));
  EXPECT_THAT(
      second("a,1,1,1\na,2,1,1\na,1,1,1\n"),
      StartsWith("runs.csv:4: epoch 1 of this configuration stands in line 2 already; remove"));
  EXPECT_THAT(second("a,1,1,1\na,2,1,1\na,1.0,1,1\n"),
              AllOf(StartsWith("runs.csv:4: the configuration of line 2"), HasSubstr("alike")));
  EXPECT_THAT(second("a,1,0,1\n"), HasSubstr("has only epoch 0; add"));
}

TEST(CsvTest, RefusesBrokenQuotesAndEncodings) {
  const auto second = [](const std::string& rows) {
    return csv_outcome("task,x,epoch,value\n" + rows);
  };
  EXPECT_THAT(second("a,\"1,1,1\nb,2,3,4\n"),
              StartsWith("runs.csv:2: a quoted cell never ends; close"));
  EXPECT_THAT(second("a,1\"2\",1,1\n"), StartsWith("runs.csv:2: a quote inside a cell; put"));
  EXPECT_THAT(second("a,\"1\"2,1,1\n"), HasSubstr("text behind a closing quote; put"));
  EXPECT_THAT(second("a,1,1,1\n\xff,1,1,1\n"), StartsWith("runs.csv:3: not UTF-8; save"));
  EXPECT_THAT(second("\xed\xa0\x80,1,1,1\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(second("\xc0\xaf,1,1,1\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(second("a,\"" + std::string(2 << 20, 'x')), HasSubstr("a row of more than 1 MiB"));
}

TEST(CsvTest, RefusesAbsurdSizes) {
  std::string texts = "task,x,epoch,value\n";
  std::string tasks = texts;
  for (int i = 0; i <= 10'000; ++i) {
    texts += "a,x" + std::to_string(i) + ",1,1\n";
    tasks += std::to_string(i) + ",1,1,1\n";
  }
  EXPECT_THAT(csv_outcome(texts), HasSubstr("column 'x': more than 1000 different texts"));
  EXPECT_THAT(csv_outcome(tasks), HasSubstr("10001 tasks are too many for such a space; split"));
}

}  // namespace
}  // namespace cmbo::curves
