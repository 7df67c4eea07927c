// SPDX-License-Identifier: Apache-2.0
//
// cmbo bench study: what a study costs beside the training. Asking what to train next, recording an
// epoch and ending its slice, all on disk, late in a study of the usual size.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "base/temporary_directory.h"
#include "cli/command.h"
#include "cli/study_directory.h"
#include "cli/study_policy.h"
#include "study/study.h"

namespace cmbo::cli {

namespace {

// Nothing costs anything, so that it never stops.
constexpr const char* kBenchStudy = R"(command: "true"
metric: {name: val_acc, goal: maximize, range: [0, 1]}
fidelity: {name: epoch, max: 50}
parameters:
  lr: {type: float, low: 1e-5, high: 1, log: true}
  momentum: {type: float, low: 0, high: 0.99}
  weight_decay: {type: float, low: 1e-6, high: 0.1, log: true}
  width: {type: int, low: 8, high: 512, log: true}
  depth: {type: int, low: 1, high: 5}
  batch: {type: int, low: 16, high: 512, log: true}
  dropout: {type: float, low: 0, high: 0.6}
  optimizer: {type: categorical, choices: [sgd, adamw]}
utility: {alpha: 0}
)";
constexpr uint32_t kStartedConfigurations = 60;
constexpr double kEpochSeconds = 10.0;

struct BenchStudyOptions {
  std::string directory;      // where the study is left; empty = nowhere
  size_t observations = 300;  // before the measurement
  size_t epochs = 20;         // measured
  size_t threads = 0;         // 0 = all cores
  bool json = false;
};

// The configurations in turn: a history of many short curves, at no cost.
class TakeTurns : public decide::Policy {
 public:
  Result<decide::Choice> choose(const decide::History& history) override {
    const std::vector<uint32_t> candidates = history.candidates();
    decide::Choice choice;
    choice.configuration = *std::min_element(
        candidates.begin(),
        candidates.begin() +
            std::min<ptrdiff_t>(kStartedConfigurations, static_cast<ptrdiff_t>(candidates.size())),
        [&](uint32_t a, uint32_t b) { return history.epochs(a) < history.epochs(b); });
    return choice;
  }
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Seconds of each part of an epoch's overhead.
struct Overhead {
  double ask = 0.0;
  double report = 0.0;
  double end = 0.0;
  double computing = 0.0;  // of all threads together, whoever else uses the machine

  double sum() const { return ask + report + end; }
};

// A saturating curve, better for some configurations than for others.
double bench_value(uint32_t trial, uint32_t step) {
  const double level = 0.5 + 0.4 * std::sin(1.7 * trial);
  return 0.1 + level * (1.0 - std::exp(-0.15 * step));
}

// One slice, of however many epochs it has; its overhead counts for each of them.
Result<Overhead> train_slice(study::Study& study, const Clock& clock) {
  Overhead overhead{.computing = -cpu_seconds()};
  double begin = clock.monotonic_seconds();
  const auto lap = [&] {
    const double now = clock.monotonic_seconds();
    return now - std::exchange(begin, now);
  };
  CMBO_TRY(const study::Answer answer, study.ask());
  overhead.ask = lap();
  const auto* train = std::get_if<study::Train>(&answer);
  if (train == nullptr) return Error("the study would not go on; that is a bug of the benchmark");
  for (uint32_t step = train->from + 1; step <= train->to; ++step) {
    CMBO_TRY([[maybe_unused]] const study::Reported reported,
             study.report(train->slice, {step, bench_value(train->trial, step), kEpochSeconds}));
  }
  overhead.report = lap();
  const double seconds = kEpochSeconds * (train->to - train->from);
  CMBO_RETURN_IF_ERROR(study.end_slice(train->slice, {.seconds = seconds}));
  overhead.end = lap();
  overhead.computing += cpu_seconds();
  return overhead;
}

Status fill(const study::StudyFile& file, size_t observations, study::StudyContext context) {
  context.policy = [](const decide::Utility&, const decide::Budget&) {
    return Result<std::unique_ptr<decide::Policy>>(std::make_unique<TakeTurns>());
  };
  CMBO_TRY(study::Study study, study::Study::open(file, kBenchStudy, context));
  while (study.facts().observations().size() < observations) {
    CMBO_TRY([[maybe_unused]] const Overhead overhead, train_slice(study, context.clock));
  }
  return {};
}

Result<std::vector<Overhead>> measure(const StudyPaths& paths, const BenchStudyOptions& options,
                                      Context& context) {
  CMBO_TRY(const Definition definition, read_definition(paths, context.files));
  CMBO_TRY(auto policy, policy_of_study(definition.file, paths,
                                        std::make_shared<ThreadPool>(options.threads), context));
  CMBO_TRY(const auto storage, storage::SqliteStorage::open(paths.database()));
  const study::StudyContext outside{*storage, context.clock, std::move(policy)};
  CMBO_RETURN_IF_ERROR(fill(definition.file, options.observations, outside));
  CMBO_TRY(study::Study study, study::Study::open(definition.file, kBenchStudy, outside));
  CMBO_TRY([[maybe_unused]] const Overhead warm_up, train_slice(study, context.clock));
  std::vector<Overhead> overheads;
  for (size_t i = 0; i < options.epochs; ++i) {
    CMBO_TRY(overheads.emplace_back(), train_slice(study, context.clock));
  }
  return overheads;
}

double median_ms(const std::vector<Overhead>& overheads, double (*part)(const Overhead&)) {
  std::vector<double> parts;
  for (const Overhead& overhead : overheads) parts.push_back(1e3 * part(overhead));
  std::sort(parts.begin(), parts.end());
  return parts[parts.size() / 2];
}

Outcome bench_study(const BenchStudyOptions& options, Context& context) {
  const TemporaryDirectory temporary;
  const Path directory = options.directory.empty() ? temporary.path() : Path(options.directory);
  const StudyPaths paths = study_paths((directory / "bench.yaml").string(), context.files);
  if (context.files.exists(paths.database())) {
    return Error(
        fmt::format("{}: exists already; choose another --out", paths.database().string()));
  }
  CMBO_RETURN_IF_ERROR(context.files.create_directories(paths.directory));
  CMBO_RETURN_IF_ERROR(context.files.write_atomically(paths.file, kBenchStudy));
  CMBO_TRY(const std::vector<Overhead> overheads, measure(paths, options, context));
  const double ask = median_ms(overheads, [](const Overhead& o) { return o.ask; });
  const double report = median_ms(overheads, [](const Overhead& o) { return o.report; });
  const double end = median_ms(overheads, [](const Overhead& o) { return o.end; });
  const double computing = median_ms(overheads, [](const Overhead& o) { return o.computing; });
  const double sum = median_ms(overheads, [](const Overhead& o) { return o.sum(); });
  const double most =
      1e3 * std::max_element(overheads.begin(), overheads.end(),
                             [](const Overhead& a, const Overhead& b) { return a.sum() < b.sum(); })
                ->sum();
  const Json json = {{"observations", options.observations},
                     {"ask_ms", ask},
                     {"report_ms", report},
                     {"end_ms", end},
                     {"overhead_ms", sum},
                     {"largest_ms", most},
                     {"computing_ms", computing}};
  context.terminal.print(
      options.json
          ? json.dump(2) + "\n"
          : fmt::format("overhead of an epoch    {:.0f} ms (median of {}; at most {:.0f})\n"
                        "asking what to train    {:.0f} ms, of 1000 configurations after "
                        "{} observations\n"
                        "recording the epoch     {:.1f} ms\n"
                        "ending the slice        {:.1f} ms\n"
                        "computing, all threads  {:.0f} ms\n",
                        sum, overheads.size(), most, ask, options.observations, report, end,
                        computing));
  return kOk;
}

}  // namespace

void add_bench_study_command(CLI::App& bench, Action& chosen) {
  add_command<BenchStudyOptions>(
      bench, chosen, "study", "what a study costs beside the training", bench_study,
      [](CLI::App& command, BenchStudyOptions& options) {
        command.add_option("--out", options.directory, "leave the study in this directory");
        command.add_option("--observations", options.observations, "before the measurement")
            ->check(CLI::Range(1, 3000))
            ->capture_default_str();
        command.add_option("--epochs", options.epochs, "that are measured")
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        command.add_option("--threads", options.threads, "0 = all cores")->capture_default_str();
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
