// SPDX-License-Identifier: Apache-2.0
#include "cli/study_text.h"

#include <cmath>
#include <fmt/format.h>

#include "cli/text.h"
#include "cli/tune_view.h"

namespace cmbo::cli {

namespace {

void append_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

}  // namespace

std::string value_text(double value) {
  return std::isfinite(value) ? number_text(value) : "diverged";
}

Json value_to_json(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string limits_text(const study::StudyFile& file) {
  const study::Limits& limits = file.limits;
  std::string text;
  if (limits.cost) append_item(text, cost_text(file.utility, *limits.cost));
  if (limits.epochs) append_item(text, steps_text(file, *limits.epochs));
  if (limits.wall) append_item(text, duration_text(*limits.wall) + " on the clock");
  if (limits.disk) append_item(text, bytes_text(*limits.disk) + " of checkpoints");
  return text;
}

std::string steps_text(const study::StudyFile& file, uint64_t steps) {
  return plural(steps, file.fidelity.name);
}

std::string fact_line(std::string_view name, std::string_view text) {
  return fmt::format("{:<10}{}\n", name, text);
}

}  // namespace cmbo::cli
