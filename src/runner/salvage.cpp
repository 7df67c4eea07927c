// SPDX-License-Identifier: Apache-2.0
#include "runner/salvage.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "runner/trial_directory.h"

namespace cmbo::runner {

namespace {

std::string whole_file(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What was printed since the line of prepare_trial() that names the slice.
std::string output_of_slice(const LostSlice& slice, const Path& log) {
  const std::string text = whole_file(log);
  const size_t begin =
      text.rfind(fmt::format("--- cmbo: trial {}, slice {},", slice.trial, slice.slice));
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace

std::vector<Report> salvage_reports(const LostSlice& slice, const ReportRules& rules) {
  const TrialFiles files(slice.directory);
  ReportParser parser(rules, slice.start_step, slice.target_step);
  std::vector<Report> reports;
  const auto keep = [&](const Heard& heard) {
    reports.insert(reports.end(), heard.reports.begin(), heard.reports.end());
  };
  keep(parser.feed_output(output_of_slice(slice, files.stdout_log)));
  // Steps of earlier slices lie before the start and do not count.
  keep(parser.feed_report_file(whole_file(files.report)));
  keep(parser.finish());
  return reports;
}

}  // namespace cmbo::runner
