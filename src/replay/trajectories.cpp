// SPDX-License-Identifier: Apache-2.0
#include "replay/trajectories.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace cmbo::replay {

namespace {

// A cell of text, quoted where it must be.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + "\"";
}

void append_run(const RunRecord& run, std::string& csv) {
  const RunKey& key = run.key;
  const std::string front = fmt::format("{},{},{},{},{}", cell(key.benchmark), cell(key.task),
                                        cell(key.method), key.alpha, key.seed);
  const std::vector<StepRecord>& steps = run.outcome.steps;
  for (size_t b = 1; b <= steps.size(); ++b) {
    fmt::format_to(std::back_inserter(csv), "{},{}", front, b);
    for (const StepColumn& column : step_columns()) {
      const double value = steps[b - 1].*column.member;
      csv += std::isfinite(value) ? fmt::format(",{:.9g}", value) : ",";
    }
    csv += run.outcome.stopped_at == b ? ",1\n" : ",0\n";
  }
}

}  // namespace

std::string trajectories_csv(std::span<const RunRecord* const> runs) {
  std::string csv = "benchmark,task,method,alpha,seed,step";
  for (const StepColumn& column : step_columns()) csv += fmt::format(",{}", column.name);
  csv += ",stopped\n";
  for (const RunRecord* run : runs) append_run(*run, csv);
  return csv;
}

}  // namespace cmbo::replay
