// SPDX-License-Identifier: Apache-2.0
#include "runner/process.h"

#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/process_table.h"
#include "runner/runner_testing.h"

namespace cmbo::runner {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ProcessTest : public testing::Test {
 protected:
  ProcessTest() {
    options_.stdout_log = directory_ / "out";
    options_.stderr_log = directory_ / "err";
  }

  Process start(const std::vector<std::string>& words) {
    options_.words = words;
    return Process::start(options_).value();
  }
  Process start_shell(const std::string& script) { return start({"/bin/sh", "-c", script}); }
  std::string failure(const std::vector<std::string>& words) {
    options_.words = words;
    return Process::start(options_).error().message();
  }
  // The number that a script wrote into the file `name`.
  pid_t number_in(const std::string& name) {
    const Path path = directory_ / name;
    CHECK(eventually([&] { return fs::exists(path) && text_of_file(path).ends_with('\n'); }),
          "a script that does not begin");
    return static_cast<pid_t>(std::stoi(text_of_file(path)));
  }

  TemporaryDirectory directory_;
  ProcessOptions options_;
};

TEST_F(ProcessTest, CodesSignalsAndLogs) {
  write_text(options_.stdout_log, "before\n");
  Process process = start_shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(exit_of(process).code, 7);
  EXPECT_TRUE(process.gone());
  EXPECT_EQ(text_of_file(options_.stdout_log), "before\nout\n");
  EXPECT_EQ(text_of_file(options_.stderr_log), "err\n");
  Process killed = start_shell("kill -9 $$");
  EXPECT_EQ(exit_of(killed).signal, SIGKILL);
  EXPECT_EQ(exit_of(killed).code, 0);
}

TEST_F(ProcessTest, EnvironmentAndDirectory) {
  options_.environment = {{"CMBO_TRIAL", "a b"}, {"HOME", "/nowhere"}};
  options_.working_directory = directory_.path();
  Process process = start_shell("echo \"$CMBO_TRIAL $HOME $PATH\"; pwd");
  EXPECT_EQ(exit_of(process).code, 0);
  EXPECT_EQ(text_of_file(options_.stdout_log),
            std::string("a b /nowhere ") + ::getenv("PATH") + "\n" +
                fs::canonical(directory_.path()).string() + "\n");
}

TEST_F(ProcessTest, WhatCannotBeExecutedIsAnError) {
  EXPECT_THAT(failure({"cmbo-no-such-program"}),
              AllOf(HasSubstr("cmbo-no-such-program: cannot be executed: No such file"),
                    HasSubstr("check the first word")));
  write_text(directory_ / "script", "#!/bin/sh\n");
  EXPECT_THAT(failure({directory_ / "script"}), HasSubstr("Permission denied"));
  options_.working_directory = directory_ / "nowhere";
  EXPECT_THAT(failure({"true"}), HasSubstr("nowhere: cannot be the working directory"));
  options_.stderr_log = directory_ / "nowhere/err";
  EXPECT_THAT(failure({"true"}), HasSubstr("nowhere/err: cannot open"));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no zombie stays";
}

TEST_F(ProcessTest, NothingOfOursIsInherited) {
  const int ours = ::open("/dev/null", O_RDONLY);  // deliberately without O_CLOEXEC
  options_.with_input = true;
  Process process = start({"ls", "/proc/self/fd"});
  EXPECT_EQ(exit_of(process).code, 0);
  ::close(ours);
  EXPECT_EQ(text_of_file(options_.stdout_log), "0\n1\n2\n3\n") << "3 is the directory itself";
}

size_t open_descriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

TEST_F(ProcessTest, NothingIsLeftOpen) {
  const size_t before = open_descriptors();
  options_.with_input = true;
  for (int i = 0; i < 5; ++i) {
    Process process = start({"true"});
    EXPECT_EQ(exit_of(process).code, 0);
    failure({"cmbo-no-such-program"});
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ProcessTest, ASignalReachesGrandchildren) {
  Process process =
      start_shell("sleep 100 & echo $! > " + (directory_ / "pid").string() + "; wait");
  const pid_t grandchild = number_in("pid");
  EXPECT_TRUE(is_running(grandchild));
  process.signal(SIGTERM);
  EXPECT_EQ(exit_of(process).signal, SIGTERM);
  EXPECT_TRUE(eventually([&] { return process.gone(); }));
  EXPECT_FALSE(is_running(grandchild));
}

TEST_F(ProcessTest, GrandchildrenThatStayAreNoticed) {
  Process process = start_shell("sleep 100 & echo $! > " + (directory_ / "pid").string());
  const pid_t grandchild = number_in("pid");
  EXPECT_EQ(exit_of(process).code, 0);
  EXPECT_FALSE(process.gone());
  EXPECT_TRUE(is_running(grandchild));
  process.signal(SIGKILL);
  EXPECT_TRUE(eventually([&] { return process.gone(); }));
  process.signal(SIGKILL);  // to nobody
}

TEST_F(ProcessTest, TheEndOfTheObjectIsTheEndOfTheProcess) {
  pid_t child = 0, grandchild = 0;
  {
    const Process process = start_shell("trap '' TERM; sleep 100 & echo $! > " +
                                        (directory_ / "pid").string() + "; wait");
    child = process.id();
    grandchild = number_in("pid");
  }
  EXPECT_FALSE(is_running(child));
  EXPECT_TRUE(eventually([&] { return !is_running(grandchild); }));
}

TEST_F(ProcessTest, LinesToStdin) {
  options_.with_input = true;
  Process process = start_shell("while read -r line; do echo \"<$line>\"; done; echo end");
  EXPECT_TRUE(process.send_line("{\"target_step\": 7}"));
  EXPECT_TRUE(eventually([&] { return text_of_file(options_.stdout_log).ends_with(">\n"); }));
  process.close_input();
  EXPECT_EQ(exit_of(process).code, 0);
  EXPECT_EQ(text_of_file(options_.stdout_log), "<{\"target_step\": 7}>\nend\n");
  Process deaf = start_shell("exit 0");
  EXPECT_EQ(exit_of(deaf).code, 0);
  EXPECT_FALSE(deaf.send_line("hello")) << "and no SIGPIPE";
}

TEST_F(ProcessTest, WithoutAChannelStdinIsEmpty) {
  Process process = start({"cat"});
  EXPECT_EQ(exit_of(process).code, 0);
}

// A cmbo that dies: forks a child that starts a training, and kills it.
TEST_F(ProcessTest, ATrainingHearsOfOurDeath) {
  const std::string pid_file = (directory_ / "pid").string();
  const pid_t cmbo = ::fork();
  ASSERT_GE(cmbo, 0);
  if (cmbo == 0) {
    options_.words = {"/bin/sh", "-c", "echo $$ > " + pid_file + "; exec sleep 100"};
    auto process = Process::start(options_);
    for (;;) ::pause();
  }
  const pid_t training = number_in("pid");
  ::kill(cmbo, SIGKILL);
  ::waitpid(cmbo, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !is_running(training); }));
}

TEST_F(ProcessTest, LeftoversAreFoundByWhereTheyReport) {
  const auto begin = [&](const std::string& trial, const std::string& script) {
    options_.environment = {{"CMBO_REPORT", (directory_ / ("study/trials/" + trial)).string()}};
    const std::string pid_file = (directory_ / ("pid" + trial)).string();
    return start_shell(script + "echo $$ > " + pid_file + "; while :; do sleep 0.05; done");
  };
  Process polite = begin("1", "");
  Process stubborn = begin("2", "trap '' TERM; ");
  Process away = begin(
      "3", "setsid sh -c 'echo $$ > " + (directory_ / "escaped").string() + "; sleep 100' & ");
  options_.environment = {{"CMBO_REPORT", (directory_ / "study/trials2/1").string()}};
  Process other = start({"sleep", "100"});
  for (const char* name : {"pid1", "pid2", "pid3"}) number_in(name);
  const pid_t escaped = number_in("escaped");
  const auto count = end_leftovers(directory_ / "study/trials", 0.2);
  ASSERT_TRUE(count.ok());
  EXPECT_GE(*count, 4U);
  EXPECT_EQ(exit_of(polite).signal, SIGTERM);
  EXPECT_EQ(exit_of(stubborn).signal, SIGKILL);
  EXPECT_EQ(exit_of(away).signal, SIGTERM);
  EXPECT_FALSE(is_running(escaped));
  EXPECT_FALSE(other.exited().has_value());
  EXPECT_EQ(end_leftovers(directory_ / "study/trials", 0.2).value(), 0U);
}

}  // namespace
}  // namespace cmbo::runner
