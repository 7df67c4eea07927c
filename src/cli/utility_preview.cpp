// SPDX-License-Identifier: Apache-2.0
#include "cli/utility_preview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "chart/figure.h"
#include "cli/study_text.h"
#include "cli/text.h"
#include "cli/tune_view.h"

namespace cmbo::cli {

namespace {

using study::UtilitySpec;

constexpr std::array<double, 3> kPlaces = {0.5, 0.8, 0.95};  // from the worst to the best
constexpr size_t kLines = 8;                                 // of the picture
constexpr size_t kLinePoints = 65;                           // of each
constexpr double kTrainings = 10.0;  // full ones, that the picture spans in epochs
constexpr int kBisections = 60;

// Metric values that stand for poor, fair and good.
std::vector<double> places_of(const curves::Normalization& normalization) {
  const curves::Bounds& bounds = normalization.bounds();
  const bool maximize = normalization.goal() == curves::Goal::kMaximize;
  const bool closed = std::isfinite(bounds.hard_low) && std::isfinite(bounds.hard_high);
  std::vector<double> places;
  for (const double place : kPlaces) {
    const double share = maximize ? place : 1.0 - place;
    places.push_back(closed ? bounds.hard_low + share * (bounds.hard_high - bounds.hard_low)
                            : normalization.invert(place));
  }
  return places;
}

// An amount that the user thinks in.
double natural_cost(const study::StudyFile& file) {
  const UtilitySpec& spec = file.utility;
  if (spec.kind == UtilitySpec::Kind::kTradeoff) return spec.worth * spec.unit_size;
  if (spec.kind == UtilitySpec::Kind::kTable && !spec.price.empty()) {
    return spec.price.back().at / 10.0;
  }
  if (spec.budget != 1.0) return spec.budget / 10.0;
  return spec.unit == study::CostUnit::kEpochs ? 10.0 : spec.unit_size;
}

// The smallest y that makes U(cost, y) reach `level`; absent if even 1 does not.
std::optional<double> value_for(const decide::Utility& utility, double cost, double level) {
  const double slack = 1e-12 * std::max(1.0, std::abs(level));
  if (utility(cost, 1.0) < level - slack) return std::nullopt;
  double low = 0.0, high = 1.0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (utility(cost, middle) < level - slack ? low : high) = middle;
  }
  return high;
}

std::string gain_text(const Exchange& exchange, bool maximize) {
  if (!exchange.gain) return "never";
  return fmt::format("{}{:.2g}", maximize ? "+" : "−", *exchange.gain);
}

double picture_cost(const study::StudyFile& file) {
  if (file.limits.cost) return *file.limits.cost;
  if (file.utility.budget != 1.0) return file.utility.budget;
  if (file.utility.unit == study::CostUnit::kEpochs) return kTrainings * file.fidelity.max;
  return 10.0 * natural_cost(file);
}

double middle_of(const std::vector<double>& sorted) {
  return sorted[sorted.size() / 2];
}

std::string stops_text(const ForeseenStops& stops, const study::StudyFile& file) {
  const std::string where = fmt::format("On curves like those of {}", stops.curves);
  if (2 * stops.unfinished >= stops.costs.size()) {
    return fmt::format("{} you would still go on after {}.\n", where,
                       cost_text(file.utility, stops.costs.back()));
  }
  std::vector<double> reached = stops.reached;
  std::sort(reached.begin(), reached.end());
  return fmt::format("{} you would stop after about {} ({} to {}), with {} at about {}.\n", where,
                     cost_text(file.utility, middle_of(stops.costs)),
                     cost_text(file.utility, stops.costs.front()),
                     cost_text(file.utility, stops.costs.back()), file.metric.name,
                     number_text(middle_of(reached)));
}

}  // namespace

Result<UtilityPreview> preview_utility(const study::StudyFile& file,
                                       const curves::Normalization& normalization) {
  CMBO_TRY(const decide::Utility utility, study::utility_over(file.utility, normalization));
  UtilityPreview preview;
  const double cost = natural_cost(file);
  preview.costs = {0.1 * cost, cost, 10.0 * cost};
  preview.from = places_of(normalization);
  for (const double spent : preview.costs) {
    for (const double from : preview.from) {
      Exchange exchange{.cost = spent, .from = from};
      const double level = utility(0.0, normalization.normalize(from));
      if (const auto y = value_for(utility, spent, level)) {
        const double to = normalization.invert(*y);
        if (std::isfinite(to)) exchange.gain = std::abs(to - from);
      }
      preview.exchanges.push_back(exchange);
    }
  }
  return preview;
}

std::string preview_to_text(const UtilityPreview& preview, const study::StudyFile& file,
                            size_t width) {
  const bool maximize = file.metric.goal == curves::Goal::kMaximize;
  std::vector<std::string> header = {"cost"};
  for (const double from : preview.from) header.push_back("from " + number_text(from));
  TextTable table(header);
  for (size_t i = 0; i < preview.costs.size(); ++i) {
    std::vector<std::string> row = {cost_text(file.utility, preview.costs[i])};
    for (size_t j = 0; j < preview.from.size(); ++j) {
      row.push_back(gain_text(preview.exchanges[i * preview.from.size() + j], maximize));
    }
    table.add(row);
  }
  const Exchange& typical = preview.exchanges[preview.from.size() + 1];
  std::string text = fmt::format(
      "{}\n\nHow much {} must change to be worth its cost, by what you have already:\n\n{}\n",
      utility_text(file.utility, file.metric), file.metric.name, table.render(width));
  text += typical.gain
              ? fmt::format("From {} {} you would pay {} for {}.\n", file.metric.name,
                            number_text(typical.from), cost_text(file.utility, typical.cost),
                            gain_text(typical, maximize))
              : fmt::format("From {} {} nothing is worth {}.\n", file.metric.name,
                            number_text(typical.from), cost_text(file.utility, typical.cost));
  return preview.stops ? text + stops_text(*preview.stops, file) : text;
}

Json preview_to_json(const UtilityPreview& preview, const study::StudyFile& file) {
  Json exchanges = Json::array();
  for (const Exchange& exchange : preview.exchanges) {
    exchanges.push_back({{"cost", exchange.cost},
                         {"from", exchange.from},
                         {"gain", exchange.gain ? Json(*exchange.gain) : Json()}});
  }
  Json json = {{"utility", utility_text(file.utility, file.metric)},
               {"metric", file.metric.name},
               {"goal", curves::goal_name(file.metric.goal)},
               {"cost_unit", cost_unit_name(file.utility.unit)},
               {"exchanges", std::move(exchanges)},
               {"stops", nullptr}};
  if (preview.stops) {
    json["stops"] = {{"curves", preview.stops->curves},
                     {"costs", preview.stops->costs},
                     {"reached", preview.stops->reached},
                     {"unfinished", preview.stops->unfinished}};
  }
  return json;
}

Result<std::string> indifference_svg(const study::StudyFile& file,
                                     const curves::Normalization& normalization) {
  CMBO_TRY(const decide::Utility utility, study::utility_over(file.utility, normalization));
  const double most = picture_cost(file);
  std::vector<chart::Polyline> lines(kLines);
  for (size_t i = 0; i < kLines; ++i) {
    const double begin = 0.5 + 0.5 * (static_cast<double>(i) + 0.5) / kLines;
    const double level = utility(0.0, begin);
    for (size_t k = 0; k < kLinePoints; ++k) {
      const double cost = most * static_cast<double>(k) / (kLinePoints - 1);
      const auto y = value_for(utility, cost, level);
      if (!y) break;
      lines[i].push_back({cost / file.utility.unit_size, normalization.invert(*y)});
    }
  }
  chart::Panel panel("", {.label = "cost in " + file.utility.unit_word},
                     {.label = file.metric.name});
  panel.add_lines(std::move(lines), {.label = "equally good along each line"});
  chart::Figure figure("What cost is worth", utility_text(file.utility, file.metric));
  figure.add_panel(std::move(panel));
  return figure.to_svg();
}

}  // namespace cmbo::cli
