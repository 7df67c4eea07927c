// SPDX-License-Identifier: Apache-2.0
//
// Finds the reports in what a training prints and appends to $CMBO_REPORT:
//
//   @cmbo {"step": 3, "val_acc": 0.71}            on stdout
//   [tune-metric]: {"epoch": 3, "val_acc": 0.71}  on stdout
//   {"step": 3, "val_acc": 0.71}                  in the report file
//
// The step stands under the fidelity's name, "step" or "epoch". A value that is not a number as
// Python, C or JavaScript print it (NaN, nan, -inf, Infinity, null, ...) means: diverged here.
// Other keys are the training's own business. Whatever else arrives is complained about and never
// an error: training is expensive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "runner/slice.h"

namespace cmbo::runner {

// A longer line is dropped: reports are short.
inline constexpr size_t kMaxReportBytes = 1 << 16;
// After so many complaints about a slice only one more says that there would be others.
inline constexpr size_t kMaxComplaints = 20;

struct ReportRules {
  std::string metric;         // its key
  std::string fidelity = {};  // a key for the step, before "step" and "epoch"
};

// One line without its end. nullopt = not a report. An error says what is wrong with it.
Result<std::optional<Report>> report_from_output(std::string_view line, const ReportRules& rules);
Result<Report> report_from_json(std::string_view text, const ReportRules& rules);

// Bytes to lines, as they come.
class LineSplitter {
 public:
  // Calls `use` with each line that is complete now, without its end (\n or \r\n). A line of more
  // than kMaxReportBytes is cut: its first kMaxReportBytes are used, the rest is dropped.
  template <typename Use>
  void feed(std::string_view bytes, Use use) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      add(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      use(without_return());
      line_.clear();
      bytes.remove_prefix(end + 1);
    }
  }
  // What follows the last line end; it is taken out.
  std::string take_rest();

 private:
  void add(std::string_view part);
  std::string_view without_return() const;

  std::string line_;
};

struct Complaint {
  std::string text;
  std::optional<Report> refused;
};

// What came of some bytes.
struct Heard {
  std::vector<Report> reports;
  std::vector<Complaint> complaints;
};

// Listens to one slice. Steps must increase and lie behind `start` and not beyond `target` (step 0
// is welcome at the start of all); a report that is repeated word for word, as by both ways, counts
// once. Not thread-safe.
class ReportParser {
 public:
  ReportParser(ReportRules rules, uint64_t start_step, uint64_t target_step);

  Heard feed_output(std::string_view bytes);
  Heard feed_report_file(std::string_view bytes);
  // At the end of the process: a last line without an end counts if it is a whole report.
  Heard finish();

  // A further slice of the same process.
  void set_target(uint64_t target_step);

  uint64_t start_step() const { return start_; }
  uint64_t target_step() const { return target_; }
  uint64_t last_step() const { return last_; }  // the start if there was none
  bool overran() const { return overran_; }     // a step beyond the target was reported
  bool diverged() const { return diverged_; }   // a value was not finite

 private:
  void hear_output(std::string_view line, Heard& heard);
  void hear_report_file(std::string_view line, Heard& heard);
  void accept(const Report& report, Heard& heard);
  std::string objection(const Report& report) const;
  void complain(std::string text, std::optional<Report> refused, Heard& heard);

  ReportRules rules_;
  uint64_t start_, target_, last_;
  bool overran_ = false;
  bool diverged_ = false;
  std::map<uint64_t, double> accepted_;
  LineSplitter output_, report_file_;
  size_t complaints_ = 0;
};

}  // namespace cmbo::runner
