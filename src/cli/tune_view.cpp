// SPDX-License-Identifier: Apache-2.0
#include "cli/tune_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/utf8.h"
#include "cli/text.h"

namespace cmbo::cli {

namespace {

using study::TrialState;

constexpr size_t kLabelWidth = 11;
constexpr size_t kMostRunningShown = 8;
constexpr size_t kMostFrozenShown = 5;
constexpr size_t kGaugeWidth = 16;
constexpr const char* kDim = "\x1b[2m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

// A label and what it names; an empty line has neither.
struct ScreenLine {
  std::string label = {};
  std::string text = {};
  bool strong = false;
};

std::string gauge(double share) {
  const auto full =
      static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * double{kGaugeWidth}));
  std::string text;
  for (size_t i = 0; i < kGaugeWidth; ++i) text += i < full ? "━" : "─";
  return text;
}

std::string of_limit(double spent, const std::string& text, const std::string& limit_text,
                     double limit) {
  return fmt::format("{} of {}  {}", text, limit_text, gauge(spent / limit));
}

std::string value_text(const study::Observation* last) {
  if (last == nullptr) return "–";
  return std::isfinite(last->value) ? number_text(last->value) : "diverged";
}

// In at most `width` columns; the end gives way.
std::string cut(const std::string& text, size_t width) {
  if (display_width(text) <= width) return text;
  if (width == 0) return "";
  std::string_view rest = text;
  for (size_t i = 0; i + 1 < width; ++i) take_character(rest);
  return text.substr(0, text.size() - rest.size()) + "…";
}

class Screen {
 public:
  explicit Screen(const TuneView& view)
      : view_(view), standing_(study::standing_of(view.file, view.facts)) {}

  std::vector<ScreenLine> lines() {
    add_best();
    add_spent();
    add_prospects();
    add("", "");
    add_running();
    add_frozen();
    if (!view_.note.empty()) {
      add("", "");
      add("note", view_.note);
    }
    return std::move(lines_);
  }

 private:
  void add(std::string label, const std::string& text, bool strong = false) {
    lines_.push_back({std::move(label), clean_text(text), strong});
  }

  const std::string& unit() const { return view_.file.fidelity.name; }

  void add_best() {
    if (!standing_.best_trial) {
      add("best", "nothing yet");
      return;
    }
    add("best",
        fmt::format("{} {}   trial {}, {} {} of {}", view_.file.metric.name,
                    number_text(standing_.best_value), *standing_.best_trial, unit(),
                    standing_.best_step, view_.file.fidelity.max),
        true);
    add("", parameters_text(view_.facts.trials()[*standing_.best_trial].parameters));
  }

  void add_spent() {
    const study::Limits& limits = view_.file.limits;
    const study::UtilitySpec& utility = view_.file.utility;
    const std::string cost = cost_text(utility, standing_.cost);
    add("spent",
        limits.cost ? of_limit(standing_.cost, cost, cost_text(utility, *limits.cost), *limits.cost)
                    : cost);
    const auto epochs = static_cast<double>(standing_.epochs);
    if (limits.epochs || utility.unit != study::CostUnit::kEpochs) {
      const std::string text = plural(standing_.epochs, unit());
      const auto limit = static_cast<double>(limits.epochs.value_or(0));
      add("", limits.epochs ? of_limit(epochs, text, count_text(*limits.epochs), limit) : text);
    }
    const std::string wall = duration_text(standing_.wall_seconds);
    add("time", limits.wall ? of_limit(standing_.wall_seconds, wall, duration_text(*limits.wall),
                                       *limits.wall)
                            : wall);
  }

  void add_prospects() {
    const Json& decision = view_.decision;
    if (!decision.is_object() || !decision.contains("utility")) return;
    add("utility", fmt::format("{}   {}", number_text(decision["utility"].get<double>()),
                               study::utility_text(view_.file.utility, view_.file.metric)));
    const std::string rest = outlook_text(view_.file, decision);
    if (!rest.empty()) add("expected", rest);
    if (!decision.contains("chosen")) return;
    const Json& chosen = decision["chosen"];
    std::string text = fmt::format(
        "{} more by {} of trial {}", number_text(chosen["gain"].get<double>()),
        plural(chosen["epochs"].get<size_t>(), unit()), chosen["trial"].get<uint32_t>());
    if (chosen.contains("chance")) {
      text += fmt::format(", chance {:.0f} %", 100 * chosen["chance"].get<double>());
    }
    add("next", text);
  }

  void add_running() {
    const std::vector<const study::Slice*> open = view_.facts.open_slices();
    if (open.empty()) add("running", "nothing");
    for (size_t i = 0; i < open.size(); ++i) {
      if (i == kMostRunningShown) {
        add("", fmt::format("and {} more", open.size() - i));
        break;
      }
      const study::Slice& slice = *open[i];
      const uint32_t steps = view_.facts.steps(slice.trial);
      add(i == 0 ? "running" : "",
          trial_text(slice.trial, fmt::format("{} {}→{}", unit(), steps, slice.to)));
    }
  }

  std::string trial_text(uint32_t trial, const std::string& where) const {
    return fmt::format("{:>4}  {:<12}  {:<8}  {}", trial, where,
                       value_text(view_.facts.last(trial)),
                       parameters_text(view_.facts.trials()[trial].parameters));
  }

  // Best last value first.
  std::vector<uint32_t> frozen() const {
    std::vector<uint32_t> trials;
    for (const study::Trial& trial : view_.facts.trials()) {
      const bool trained = view_.facts.last(trial.number) != nullptr;
      if (trial.state == TrialState::kFrozen && trained) trials.push_back(trial.number);
    }
    std::sort(trials.begin(), trials.end(), [&](uint32_t a, uint32_t b) {
      const double left = view_.facts.last(a)->value, right = view_.facts.last(b)->value;
      if (left != right) return view_.file.metric.better(left, right);
      return a < b;
    });
    return trials;
  }

  void add_frozen() {
    const std::vector<uint32_t> trials = frozen();
    add("frozen", others_text(trials.size()));
    for (size_t i = 0; i < std::min(trials.size(), kMostFrozenShown); ++i) {
      add("", trial_text(trials[i], fmt::format("{} {}", unit(), view_.facts.steps(trials[i]))));
    }
  }

  std::string others_text(size_t frozen) const {
    std::string text = count_text(frozen);
    for (const TrialState state : {TrialState::kDone, TrialState::kDiverged, TrialState::kFailed,
                                   TrialState::kDropped, TrialState::kNew}) {
      const auto count = static_cast<size_t>(
          std::count_if(view_.facts.trials().begin(), view_.facts.trials().end(),
                        [&](const study::Trial& trial) { return trial.state == state; }));
      if (count > 0) text += fmt::format(" · {} {}", count_text(count), study::state_name(state));
    }
    return text;
  }

  const TuneView& view_;
  study::Standing standing_;
  std::vector<ScreenLine> lines_;
};

std::string render_line(const ScreenLine& line, const ScreenSize& size) {
  const size_t room = size.width > kLabelWidth ? size.width - kLabelWidth : 0;
  const std::string label = fmt::format("  {:<{}}", line.label, kLabelWidth - 2);
  const std::string text = cut(line.text, room);
  if (line.label.empty() && text.empty()) return "\n";
  if (!size.colours) return label + text + "\n";
  return fmt::format("{}{}{}{}{}{}\n", kDim, label, kPlain, line.strong ? kBold : "", text,
                     line.strong ? kPlain : "");
}

std::string head_line(const TuneView& view, const ScreenSize& size) {
  const std::string left = shorten("cmbo · " + clean_text(view.title), size.width);
  const size_t taken = display_width(left) + display_width(view.status);
  if (taken >= size.width) return left + "\n";
  return left + std::string(size.width - taken, ' ') + view.status + "\n";
}

}  // namespace

std::string tune_screen(const TuneView& view, const ScreenSize& size) {
  std::string text = head_line(view, size) + "\n";
  const std::vector<ScreenLine> lines = Screen(view).lines();
  const size_t most = size.height > 5 ? size.height - 5 : 0;  // head, hint, the cursor's line
  for (size_t i = 0; i < std::min(lines.size(), most); ++i) text += render_line(lines[i], size);
  const ScreenLine hint{"", "Ctrl-C freezes everything; the same command goes on."};
  return text + "\n" + render_line(hint, size);
}

std::string cost_text(const study::UtilitySpec& utility, double cost) {
  switch (utility.unit) {
    case study::CostUnit::kEpochs:
      return fmt::format("{:.4g} epoch{}", cost, cost == 1.0 ? "" : "s");
    case study::CostUnit::kSeconds:
      return duration_text(cost) + " of training";
    case study::CostUnit::kMoney:
      return fmt::format("{:.2f} {}", cost, utility.unit_word);
  }
  return "";
}

std::string outlook_text(const study::StudyFile& file, const Json& decision) {
  if (!decision.is_object() || !decision.contains("outlook")) return "";
  const Json& outlook = decision["outlook"];
  const auto epochs = static_cast<size_t>(std::lround(outlook["epochs"].get<double>()));
  const bool at_least = outlook["at_least"].get<bool>();
  if (epochs == 0 && !at_least) return "nothing more: it is about to stop";
  std::string paid = duration_text(outlook["seconds"].get<double>() / file.limits.workers);
  if (file.utility.unit == study::CostUnit::kMoney) {
    paid = cost_text(file.utility, outlook["cost"].get<double>()) + ", " + paid;
  }
  const double gain = outlook["improvement"].get<double>();
  const char* sign = file.metric.goal == curves::Goal::kMaximize ? "+" : "-";
  return fmt::format("{} {} more {}{} ({}) for {} {}", at_least ? "at least" : "about",
                     count_text(epochs), file.fidelity.name, epochs == 1 ? "" : "s", paid,
                     gain > 0.0 ? sign + number_text(gain) : "no better", file.metric.name);
}

std::string parameters_text(const Json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) {
    const std::string number = value.is_number_float()
                                   ? number_text(value.get<double>())
                                   : (value.is_string() ? value.get<std::string>() : value.dump());
    text += fmt::format("{}{} {}", text.empty() ? "" : "  ", name, number);
  }
  return text;
}

}  // namespace cmbo::cli
