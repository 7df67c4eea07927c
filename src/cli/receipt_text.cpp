// SPDX-License-Identifier: Apache-2.0
#include "cli/receipt_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/utf8.h"
#include "cli/text.h"
#include "cli/tune_view.h"
#include "runner/trial_directory.h"

namespace cmbo::cli {

namespace {

// "stop: the limit ..." -> "Stopped: the limit ...".
std::string headline(const std::string& reason) {
  const std::string rest = reason.starts_with("stop: ") ? reason.substr(6) : reason;
  return "Stopped: " + rest;
}

// Words to lines of at most `width` columns, each but the first after two spaces.
std::string wrapped(const std::string& text, size_t width) {
  std::string all, line;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      all += line + "\n";
      line = "  " + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return all + line + "\n";
}

std::string receipt_line(const char* label, const std::string& text) {
  return fmt::format("  {:<9}{}\n", label, clean_text(text));
}

std::string reached_text(const study::Receipt& receipt, const study::StudyFile& file,
                         const study::Facts& facts, const StudyPaths& paths) {
  const study::Standing& standing = receipt.standing;
  if (!standing.best_trial) return receipt_line("best", "nothing was reported");
  const uint32_t best = *standing.best_trial;
  std::string text =
      receipt_line("best", fmt::format("{} {}, trial {} at {} {} of {}", file.metric.name,
                                       number_text(standing.best_value), best, file.fidelity.name,
                                       standing.best_step, file.fidelity.max));
  text += receipt_line("", parameters_text(facts.trials()[best].parameters));
  if (facts.trials()[best].checkpoint_bytes) {
    text += receipt_line("saved",
                         fmt::format("{} {} in {}", file.fidelity.name, facts.steps(best),
                                     runner::TrialFiles(paths.trial(best)).checkpoint.string()));
  }
  return text;
}

std::string rejected_table(const study::Receipt& receipt, const study::StudyFile& file,
                           size_t width) {
  TextTable table({"not worth it", file.fidelity.name, "more", "cost", "expected gain",
                   fmt::format("{} in the end", file.metric.name)});
  for (const study::Rejected& entry : receipt.rejected) {
    table.add({fmt::format("trial {}", entry.trial), fmt::format("{}", entry.from),
               fmt::format("{}", entry.epochs), cost_text(file.utility, entry.cost),
               number_text(entry.gain), number_text(entry.final_forecast)});
  }
  return table.render(width);
}

}  // namespace

std::string receipt_text(const study::Receipt& receipt, const study::StudyFile& file,
                         const study::Facts& facts, const StudyPaths& paths, size_t width) {
  const study::Standing& standing = receipt.standing;
  std::string text = wrapped(clean_text(headline(receipt.reason)), width) + "\n";
  text += reached_text(receipt, file, facts, paths);
  std::string spent = cost_text(file.utility, standing.cost);
  if (file.utility.unit != study::CostUnit::kEpochs) {
    spent += ", " + plural(standing.epochs, file.fidelity.name);
  }
  text +=
      receipt_line("spent", fmt::format("{} in {}", spent, duration_text(standing.wall_seconds)));
  text += receipt_line(
      "utility", fmt::format("{} with {}", number_text(receipt.utility), receipt.utility_text));
  if (!receipt.price_text.empty()) {
    text += receipt_line("", fmt::format("it would have gone on with {}", receipt.price_text));
  }
  if (!receipt.rejected.empty()) text += "\n" + rejected_table(receipt, file, width);
  return text;
}

}  // namespace cmbo::cli
