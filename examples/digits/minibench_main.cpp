// SPDX-License-Identifier: Apache-2.0
//
// cmbo-minibench OUT: records the curves of data/minibench, a file for each task. A task whose file
// is there is left alone, so an interrupted recording goes on with the same command.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <sstream>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "digits/minibench.h"

namespace cmbo::digits {

namespace {

struct MinibenchOptions {
  std::string out;                      // a directory
  std::string data = CMBO_DIGITS_DATA;  // where the data sets are
  std::vector<std::string> tasks;       // empty = all
  size_t configurations = kBenchConfigurations;
  size_t threads = 0;  // 0 = all cores
};

bool is_wanted(const BenchTask& task, const MinibenchOptions& options) {
  return options.tasks.empty() ||
         std::find(options.tasks.begin(), options.tasks.end(), task.name) != options.tasks.end();
}

Path file_of(const BenchTask& task, const MinibenchOptions& options) {
  return Path(options.out) / (task.name + ".jsonl.gz");
}

cli::Outcome record_all(const MinibenchOptions& options, cli::Context& context) {
  CMBO_TRY(std::vector<BenchTask> tasks, bench_tasks(context.files, options.data));
  std::erase_if(tasks, [&](const BenchTask& task) {
    return !is_wanted(task, options) || context.files.exists(file_of(task, options));
  });
  CMBO_RETURN_IF_ERROR(context.files.create_directories(options.out));
  ThreadPool pool(options.threads);
  const cli::InterruptGuard guard;
  cli::ProgressBar bar(context.terminal, context.clock, "recording");
  for (size_t i = 0; i < tasks.size(); ++i) {
    const double begin = context.clock.monotonic_seconds();
    const auto progress = [&](size_t curves) {
      bar.update(i * options.configurations + curves, tasks.size() * options.configurations,
                 tasks[i].name);
      return !guard.interrupted();
    };
    const auto task = record(tasks[i], {.configurations = options.configurations}, pool, progress);
    if (!task) return cli::kTryAgain;
    CMBO_RETURN_IF_ERROR(
        context.files.write_atomically(file_of(tasks[i], options), to_jsonl_gz(*task)));
    context.terminal.print(fmt::format("{}: {} curves in {:.0f} s\n", tasks[i].name, task->size(),
                                       context.clock.monotonic_seconds() - begin));
    context.terminal.finish();  // for those who read along in a file
  }
  return cli::kOk;
}

int run(int argc, char** argv, cli::Context& context) {
  CLI::App app("Records learning curves of the digits trainer on many small tasks",
               "cmbo-minibench");
  MinibenchOptions options;
  app.add_option("out", options.out, "directory of the curve files")->required();
  app.add_option("--data", options.data, "directory of the data sets");
  app.add_option("--tasks", options.tasks, "only these")->delimiter(',');
  app.add_option("--configurations", options.configurations, "how many of the pool")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "0 = all cores")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const cli::Outcome outcome = record_all(options, context);
  if (!outcome.ok()) context.terminal.complain(outcome.error().message());
  context.terminal.finish();
  return outcome.ok() ? *outcome : cli::kFailed;
}

}  // namespace

}  // namespace cmbo::digits

int main(int argc, char** argv) {
  cmbo::cli::Terminal terminal(stdout, stderr);
  cmbo::cli::Context context{cmbo::real_file_system(), cmbo::system_clock(), terminal};
  return cmbo::digits::run(argc, argv, context);
}
