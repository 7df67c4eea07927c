// SPDX-License-Identifier: Apache-2.0
#include "cli/status_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/study_text.h"
#include "cli/text.h"
#include "cli/tune_view.h"
#include "study/metric_scale.h"

namespace cmbo::cli {

namespace {

using study::Standing;
using study::StudyState;

// "running (process 12)", "interrupted: nobody runs it", "stopped"
std::string state_text(const StudyView& view, const StatusInput& input) {
  const StudyState state = view.facts.study().state;
  if (state == StudyState::kStopped) return "stopped";
  if (!input.driver) return "not running; cmbo tune goes on with it";
  const bool pausing = state == StudyState::kRunning && input.wish == study::Wish::kPause;
  const bool stopping = input.wish == study::Wish::kStop;
  return fmt::format("{}, by {}",
                     stopping  ? "about to stop"
                     : pausing ? "about to pause"
                               : state_name(state),
                     *input.driver);
}

std::string best_text(const StudyView& view, const Standing& standing) {
  if (!standing.best_trial) return "nothing yet";
  const study::Trial& trial = view.facts.trials()[*standing.best_trial];
  return fmt::format("{} {} at {} {} of trial {} ({})", view.file.metric.name,
                     number_text(standing.best_value), view.file.fidelity.name, standing.best_step,
                     trial.number, state_name(trial.state));
}

std::string spent_text(const StudyView& view, const Standing& standing) {
  std::string text = cost_text(view.file.utility, standing.cost);
  if (view.file.utility.unit != study::CostUnit::kEpochs) {
    text += ", " + steps_text(view.file, standing.epochs);
  }
  return text + fmt::format(", {} of training, {} on the clock",
                            duration_text(standing.train_seconds),
                            duration_text(standing.wall_seconds));
}

std::string running_lines(const StudyView& view, double now, size_t width) {
  std::string lines;
  for (const study::Slice* slice : view.facts.open_slices()) {
    const study::Observation* last = view.facts.last(slice->trial);
    std::string text =
        fmt::format("trial {}, {} {} to {}, at {}{}, for {}", slice->trial, view.file.fidelity.name,
                    slice->from + 1, slice->to, view.facts.steps(slice->trial),
                    last == nullptr ? "" : " with " + value_text(last->value),
                    duration_text(std::max(0.0, now - slice->started_at)));
    lines += fact_line(lines.empty() ? "running" : "", shorten(text, width - 10));
  }
  return lines;
}

// There is at least one.
std::string conflicts_text(const StudyView& view) {
  const study::Observation& one = view.facts.conflicts().front();
  const size_t place = view.facts.curve(one.trial)[one.step - 1];
  return fmt::format(
      "{} reported twice with different values, first {} {} of trial {}: {}, then {}; the script "
      "is "
      "not deterministic or repeats steps: 'cmbo check' tells",
      steps_text(view.file, view.facts.conflicts().size()), view.file.fidelity.name, one.step,
      one.trial, value_text(view.facts.observations()[place].value), value_text(one.value));
}

Json running_to_json(const StudyView& view) {
  Json running = Json::array();
  for (const study::Slice* slice : view.facts.open_slices()) {
    running.push_back({{"trial", slice->trial},
                       {"from", slice->from},
                       {"to", slice->to},
                       {"at", view.facts.steps(slice->trial)},
                       {"started_at", slice->started_at}});
  }
  return running;
}

// Until it stops; null if that is not known.
Json expected_to_json(const StatusInput& input, const study::StudyRecord& record) {
  if (record.state == StudyState::kStopped || !input.decision) return nullptr;
  return input.decision->what.value("outlook", Json());
}

}  // namespace

Result<std::string> status_to_text(const StudyView& view, const StatusInput& input, size_t width) {
  const Standing standing = study::standing_of(view.file, view.facts);
  CMBO_TRY(const double utility, utility_now(view));
  const study::StudyRecord& record = view.facts.study();
  std::string text = fmt::format("{}: {}\n\n", input.name, state_text(view, input));
  if (!record.reason.empty()) text += fact_line("because", record.reason);
  text += fact_line("best", best_text(view, standing));
  if (standing.best_trial) {
    const Json& parameters = view.facts.trials()[*standing.best_trial].parameters;
    text += fact_line("", shorten(parameters_text(parameters), width - 10));
  }
  text += fact_line("spent", spent_text(view, standing));
  const std::string limits = limits_text(view.file);
  if (!limits.empty()) text += fact_line("limits", limits);
  text += fact_line("utility", fmt::format("{}, with {}", number_text(utility),
                                           utility_text(view.file.utility, view.file.metric)));
  text += fact_line("trials", census_text(view.facts));
  if (input.queued > 0) {
    text += fact_line("queued", plural(input.queued, "configuration"));
  }
  text += running_lines(view, input.now, width);
  if (!view.facts.conflicts().empty()) text += fact_line("warning", conflicts_text(view));
  const bool stopped = record.state == StudyState::kStopped;
  if (input.decision && !stopped) {
    const std::string rest = outlook_text(view.file, input.decision->what);
    if (!rest.empty()) text += fact_line("expected", rest);
    text += fact_line("last", input.decision->what.value("reason", ""));
  }
  return text;
}

Result<Json> status_to_json(const StudyView& view, const StatusInput& input) {
  const Standing standing = study::standing_of(view.file, view.facts);
  CMBO_TRY(const double utility, utility_now(view));
  const study::StudyRecord& record = view.facts.study();
  return Json{{"study", input.name},
              {"state", state_name(record.state)},
              {"reason", record.reason},
              {"driver", input.driver ? Json(*input.driver) : Json()},
              {"wish", wish_name(input.wish)},
              {"metric", view.file.metric.name},
              {"goal", curves::goal_name(view.file.metric.goal)},
              {"best", best_to_json(view)},
              {"utility", utility},
              {"utility_text", utility_text(view.file.utility, view.file.metric)},
              {"scale", study::metric_scale(view.file.metric, view.facts).how},
              {"cost", standing.cost},
              {"cost_unit", cost_unit_name(view.file.utility.unit)},
              {"epochs", standing.epochs},
              {"train_seconds", standing.train_seconds},
              {"wall_seconds", standing.wall_seconds},
              {"trials", census_to_json(view.facts)},
              {"queued", input.queued},
              {"running", running_to_json(view)},
              {"conflicts", view.facts.conflicts().size()},
              {"expected", expected_to_json(input, record)},
              {"decision", input.decision ? input.decision->what : Json()}};
}

}  // namespace cmbo::cli
