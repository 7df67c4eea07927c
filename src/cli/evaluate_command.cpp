// SPDX-License-Identifier: Apache-2.0
//
// cmbo evaluate
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/curve_files.h"
#include "cli/model_file.h"
#include "cli/text.h"
#include "curves/normalization.h"
#include "forecast/maximum.h"
#include "forecast/sampler.h"
#include "training/evaluation.h"
#include "training/example.h"

namespace cmbo::cli {

namespace {

using training::Cell;
using training::Scores;

struct EvaluateOptions {
  InputOptions input;
  std::string model;   // file
  size_t threads = 0;  // 0 = all cores
  bool json = false;
  training::EvaluationOptions evaluation;
};

Json scores_to_json(const Scores& scores) {
  return {{"nll", scores.nll},
          {"mae", scores.mae},
          {"coverage50", scores.coverage50},
          {"coverage90", scores.coverage90}};
}

// How well sampled curves foresee the best value of the next epochs.
struct MaximumReport {
  const char* sampling;
  size_t epochs;
  forecast::MaximumScores scores;
};

constexpr std::array<const char*, 3> kSamplings = {"copula", "comonotone", "independent"};
constexpr size_t kAllThatAreLeft = curves::kMaxEpochs;
constexpr std::array<size_t, 3> kMaximumEpochs = {5, 10, kAllThatAreLeft};
constexpr size_t kMaximumStates = 12;  // of each task

std::vector<MaximumReport> score_maxima(const network::Model& model,
                                        const std::vector<curves::CurveTable>& tables,
                                        const training::EvaluationOptions& options,
                                        ThreadPool& pool) {
  std::vector<MaximumReport> reports;
  for (const char* sampling : kSamplings) {
    for (const size_t epochs : kMaximumEpochs) reports.push_back({sampling, epochs, {}});
  }
  for (size_t t = 0; t < tables.size(); ++t) {
    for (size_t i = 0; i < kMaximumStates; ++i) {
      Random random = Random(options.seed).fork(t).fork(i);
      const training::ExampleOptions states{.asked = options.asked, .epochs_each = 1};
      const network::Question q = training::draw_example(tables[t], states, random).question;
      MaximumReport* report = reports.data();
      for (const char* sampling : kSamplings) {
        const auto samples = forecast::sample(model, q.observed, q.asked,
                                              {.sampling = *forecast::sampling_of(sampling)}, pool);
        for (size_t e = 0; e < kMaximumEpochs.size(); ++e, ++report) {
          report->scores.add(forecast::score_maximum(samples, tables[t], report->epochs,
                                                     model.bars().borders()[1]));
        }
      }
    }
  }
  return reports;
}

std::string epochs_text(size_t epochs) {
  return epochs == kAllThatAreLeft ? "all that are left" : fmt::format("next {}", epochs);
}

Json maxima_to_json(const std::vector<MaximumReport>& reports) {
  Json json = Json::array();
  for (const MaximumReport& report : reports) {
    json.push_back({{"samples", report.sampling},
                    {"epochs", epochs_text(report.epochs)},
                    {"crps", report.scores.crps},
                    {"coverage50", report.scores.coverage50},
                    {"coverage90", report.scores.coverage90}});
  }
  return json;
}

std::string maxima_table(const std::vector<MaximumReport>& reports) {
  TextTable table({"best value of the epochs", "samples", "crps", "50 % coverage", "90 %"});
  for (const MaximumReport& report : reports) {
    table.add({epochs_text(report.epochs), report.sampling,
               fmt::format("{:.4f}", report.scores.crps),
               fmt::format("{:.2f}", report.scores.coverage50),
               fmt::format("{:.2f}", report.scores.coverage90)});
  }
  return table.render(120) + "\n";
}

constexpr std::array<const char*, training::kFates> kFateNames = {"diverged", "stayed", "moved"};

double share_of(const std::array<Scores, training::kFates>& by_fate, size_t fate) {
  size_t all = 0;
  for (const Scores& scores : by_fate) all += scores.count;
  return all == 0 ? 0.0 : static_cast<double>(by_fate[fate].count) / static_cast<double>(all);
}

Json fates_to_json(const std::array<Scores, training::kFates>& by_fate) {
  Json json = Json::object();
  for (size_t f = 0; f < training::kFates; ++f) {
    json[kFateNames[f]] = scores_to_json(by_fate[f]);
    json[kFateNames[f]]["share"] = share_of(by_fate, f);
  }
  return json;
}

std::string fates_table(const std::array<Scores, training::kFates>& by_fate) {
  TextTable table({"until the last epoch", "share", "negative log density", "error", "90 %"});
  for (size_t f = 0; f < training::kFates; ++f) {
    const Scores& s = by_fate[f];
    table.add({kFateNames[f], fmt::format("{:.2f}", share_of(by_fate, f)),
               s.count == 0 ? "–" : fmt::format("{:.2f}", s.nll),
               s.count == 0 ? "–" : fmt::format("{:.4f}", s.mae),
               s.count == 0 ? "–" : fmt::format("{:.2f}", s.coverage90)});
  }
  return table.render(120) + "\n";
}

Json report_to_json(const std::vector<Cell>& cells, const std::vector<MaximumReport>& maxima,
                    const std::vector<std::string>& tasks) {
  const training::Overall all = training::overall(cells);
  Json json = scores_to_json(all.last);
  json["later_epoch"] = scores_to_json(all.later);
  json["tasks"] = tasks;
  json["fates"] = fates_to_json(all.by_fate);
  json["maximum"] = maxima_to_json(maxima);
  json["cells"] = Json::array();
  for (const Cell& cell : cells) {
    json["cells"].push_back({{"observations", cell.total},
                             {"prefix", cell.prefix},
                             {"answers", cell.last.count},
                             {"last_epoch", scores_to_json(cell.last)},
                             {"later_epoch", scores_to_json(cell.later)}});
  }
  return json;
}

// One figure of all cells: totals down, prefixes across.
std::string cell_table(const std::vector<Cell>& cells, const training::EvaluationOptions& options,
                       const char* title, const std::function<std::string(const Scores&)>& figure) {
  std::vector<std::string> header = {title};
  for (const size_t prefix : options.prefixes) header.push_back(fmt::format("prefix {}", prefix));
  TextTable table(std::move(header));
  for (size_t t = 0; t < options.totals.size(); ++t) {
    std::vector<std::string> row = {fmt::format("{} observations", options.totals[t])};
    for (size_t p = 0; p < options.prefixes.size(); ++p) {
      const Scores& scores = cells[t * options.prefixes.size() + p].last;
      row.push_back(scores.count == 0 ? "–" : figure(scores));
    }
    table.add(std::move(row));
  }
  return table.render(120) + "\n";
}

// Tasks that the model was trained on must not judge it.
Status check_unseen(const network::Model& model, const curves::CurveSet& set) {
  const std::vector<std::string> seen = trained_on(model);
  for (const curves::Task& task : set.tasks) {
    if (std::find(seen.begin(), seen.end(), task.name()) == seen.end()) continue;
    return Error(
        fmt::format("the model was trained on '{}'; judge it on others with --tasks", task.name()));
  }
  return {};
}

Outcome evaluate(const EvaluateOptions& options, Context& context) {
  CMBO_TRY(const network::Model model, read_model(options.model, context));
  CMBO_TRY(const curves::CurveSet set, read_input(options.input, context));
  CMBO_RETURN_IF_ERROR(check_unseen(model, set));
  std::vector<curves::CurveTable> tables;
  std::vector<std::string> names;
  for (const curves::Task& task : set.tasks) {
    CMBO_TRY(const curves::Normalization normalization, curves::normalization_of(task));
    tables.push_back(curves::to_table(task, normalization));
    names.push_back(task.name());
    CMBO_RETURN_IF_ERROR(check_fits(model, task.name(), tables.back()));
  }
  ThreadPool pool(options.threads);
  const std::vector<Cell> cells = training::evaluate(model, tables, options.evaluation, pool);
  const std::vector<MaximumReport> maxima = score_maxima(model, tables, options.evaluation, pool);
  if (options.json) {
    context.terminal.print(report_to_json(cells, maxima, names).dump(2) + "\n");
    return kOk;
  }
  const training::Overall overall = training::overall(cells);
  const Scores& all = overall.last;
  context.terminal.print(
      fmt::format("{} on {}, at the last epoch, in normalized units\n\n", options.model,
                  plural(tables.size(), "unseen task")) +
      cell_table(cells, options.evaluation, "negative log density",
                 [](const Scores& s) { return fmt::format("{:.2f}", s.nll); }) +
      cell_table(cells, options.evaluation, "error of the median",
                 [](const Scores& s) { return fmt::format("{:.4f}", s.mae); }) +
      cell_table(cells, options.evaluation, "90 % coverage",
                 [](const Scores& s) { return fmt::format("{:.2f}", s.coverage90); }) +
      fates_table(overall.by_fate) + maxima_table(maxima) +
      fmt::format("mean: negative log density {:.2f}, error {:.4f}, 50 % coverage {:.2f}, 90 % "
                  "coverage {:.2f}\n",
                  all.nll, all.mae, all.coverage50, all.coverage90));
  return kOk;
}

}  // namespace

void add_evaluate_command(CLI::App& app, Action& chosen) {
  add_command<EvaluateOptions>(
      app, chosen, "evaluate", "judge a model on tasks that it was not trained on", evaluate,
      [](CLI::App& command, EvaluateOptions& options) {
        command.add_option("--model", options.model, "model file")->required();
        options.input.add_to(command, "--data");
        command.get_option("--data")->required();
        command.add_option("--asked", options.evaluation.asked, "configurations per cell and task")
            ->check(CLI::Range(1, 100'000))
            ->capture_default_str();
        command.add_option("--seed", options.evaluation.seed, "draws the states")
            ->capture_default_str();
        command.add_option("--threads", options.threads, "0 = all cores; the result is the same")
            ->capture_default_str();
        command.add_flag("--json", options.json, "print as JSON");
      });
}

}  // namespace cmbo::cli
