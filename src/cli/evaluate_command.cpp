// SPDX-License-Identifier: Apache-2.0
//
// cmbo evaluate
#include <algorithm>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/curve_files.h"
#include "cli/model_file.h"
#include "cli/text.h"
#include "curves/normalization.h"
#include "training/evaluation.h"

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

Json report_to_json(const std::vector<Cell>& cells, const std::vector<std::string>& tasks) {
  const training::Overall all = training::overall(cells);
  Json json = scores_to_json(all.last);
  json["later_epoch"] = scores_to_json(all.later);
  json["tasks"] = tasks;
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
  const Json trained_on = model.card().value("trained_on", Json::array());
  for (const curves::Task& task : set.tasks) {
    if (std::find(trained_on.begin(), trained_on.end(), Json(task.name())) == trained_on.end()) {
      continue;
    }
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
  const std::vector<Cell> cells = training::evaluate(model.network(), model.bars(), model.weights(),
                                                     tables, options.evaluation, pool);
  if (options.json) {
    context.terminal.print(report_to_json(cells, names).dump(2) + "\n");
    return kOk;
  }
  const Scores all = training::overall(cells).last;
  context.terminal.print(
      fmt::format("{} on {}, at the last epoch, in normalized units\n\n", options.model,
                  plural(tables.size(), "unseen task")) +
      cell_table(cells, options.evaluation, "negative log density",
                 [](const Scores& s) { return fmt::format("{:.2f}", s.nll); }) +
      cell_table(cells, options.evaluation, "error of the median",
                 [](const Scores& s) { return fmt::format("{:.4f}", s.mae); }) +
      cell_table(cells, options.evaluation, "90 % coverage",
                 [](const Scores& s) { return fmt::format("{:.2f}", s.coverage90); }) +
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
