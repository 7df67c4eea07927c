// SPDX-License-Identifier: Apache-2.0
#include "runner/report_parser.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"

namespace cmbo::runner {

namespace {

constexpr std::array<std::string_view, 2> kMarkers = {"@cmbo", "[tune-metric]:"};
constexpr std::array<std::string_view, 3> kNotFinite = {"infinity", "inf", "nan"};
constexpr double kMaxStep = 1e15;  // below it, doubles hold every integer
constexpr size_t kQuotedBytes = 60;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool is_word_character(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// The length of a word such as NaN or -inf that `text` begins with; 0 = none.
size_t not_finite_length(std::string_view text) {
  const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  for (const std::string_view word : kNotFinite) {
    size_t i = 0;
    while (i < word.size() && sign + i < text.size() && lower(text[sign + i]) == word[i]) ++i;
    const size_t end = sign + i;
    if (i == word.size() && (end == text.size() || !is_word_character(text[end]))) return end;
  }
  return 0;
}

// Where JSON knows no number, null.
std::string with_nulls(std::string_view text) {
  std::string json;
  bool quoted = false, escaped = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_word = !quoted && (json.empty() || !is_word_character(json.back()));
    if (const size_t length = begins_word ? not_finite_length(text.substr(i)) : 0; length > 0) {
      json += "null";
      i += length - 1;
      continue;
    }
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    json += c;
  }
  return json;
}

std::string shown(std::string_view text) {
  const bool is_long = text.size() > kQuotedBytes;
  return clean_text(text.substr(0, kQuotedBytes)) + (is_long ? "..." : "");
}

std::string key_list(const Json& report) {
  std::string keys;
  for (const auto& item : report.items()) {
    if (keys.size() > 10 * kQuotedBytes) return keys + ", ...";
    keys += fmt::format("{}\"{}\"", keys.empty() ? "" : ", ", shown(item.key()));
  }
  return keys.empty() ? "no keys" : keys;
}

Result<uint64_t> step_of(const Json& report, const ReportRules& rules) {
  for (const std::string_view key :
       {std::string_view(rules.fidelity), std::string_view("step"), std::string_view("epoch")}) {
    const auto found = report.find(key);
    if (found == report.end()) continue;
    const double step = found->is_number() ? found->get<double>() : -1.0;
    if (step >= 0 && step <= kMaxStep && step == std::floor(step)) {
      return static_cast<uint64_t>(step);
    }
    return Error(fmt::format("\"{}\" is {}; it must be a whole number, the steps trained so far",
                             key,
                             shown(found->dump(-1, ' ', false, Json::error_handler_t::replace))));
  }
  return Error(fmt::format("no step in the report, which has {}; add \"step\", counted from 1",
                           key_list(report)));
}

Result<double> value_of(const Json& report, const std::string& metric) {
  const auto found = report.find(metric);
  if (found == report.end()) {
    return Error(
        fmt::format("no \"{}\" in the report, which has {}; report it under this name, or "
                    "change the metric's name in the study file",
                    metric, key_list(report)));
  }
  if (found->is_number()) return found->get<double>();
  const bool is_word =
      found->is_string() && not_finite_length(found->get_ref<const std::string&>()) ==
                                found->get_ref<const std::string&>().size();
  if (found->is_null() || is_word) return std::nan("");
  return Error(fmt::format("\"{}\" is {}; report it as a number, or as NaN if it diverged", metric,
                           json_kind(*found)));
}

// What follows a marker in `line`; nullopt = there is none. Within a line, as loggers make it, a
// brace must follow.
std::optional<std::string_view> behind_marker(std::string_view line) {
  for (const std::string_view marker : kMarkers) {
    const size_t at = line.find(marker);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + marker.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (at == 0 || rest.starts_with('{')) return rest;
  }
  return std::nullopt;
}

bool same_value(double a, double b) {
  return a == b || (!std::isfinite(a) && !std::isfinite(b));
}

}  // namespace

Result<Report> report_from_json(std::string_view text, const ReportRules& rules) {
  if (text.size() >= kMaxReportBytes) {
    return Error(fmt::format("a line of more than {} KiB; end each report with a line break",
                             kMaxReportBytes >> 10));
  }
  const auto json = parse_json(with_nulls(text));
  if (!json.ok()) {
    return Error(
        fmt::format("{} in '{}'; write one JSON object a line, such as "
                    "{{\"step\": 3, \"{}\": 0.71}}",
                    shown(json.error().message()), shown(text), rules.metric));
  }
  if (!json->is_object()) {
    return Error(
        fmt::format("{} where a report must be an object, such as "
                    "{{\"step\": 3, \"{}\": 0.71}}",
                    json_kind(*json), rules.metric));
  }
  Report report;
  CMBO_TRY(report.step, step_of(*json, rules));
  CMBO_TRY(report.value, value_of(*json, rules.metric));
  return report;
}

Result<std::optional<Report>> report_from_output(std::string_view line, const ReportRules& rules) {
  // Progress bars go back to the beginning of the line.
  if (const size_t back = line.rfind('\r'); back != std::string_view::npos) {
    line.remove_prefix(back + 1);
  }
  const auto text = behind_marker(line);
  if (!text) return std::optional<Report>();
  CMBO_TRY(const Report report, report_from_json(*text, rules));
  return std::optional<Report>(report);
}

void LineSplitter::add(std::string_view part) {
  line_.append(part.substr(0, kMaxReportBytes - std::min(line_.size(), kMaxReportBytes)));
}

std::string_view LineSplitter::without_return() const {
  const std::string_view line = line_;
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string LineSplitter::take_rest() {
  return std::exchange(line_, {});
}

ReportParser::ReportParser(ReportRules rules, uint64_t start_step, uint64_t target_step)
    : rules_(std::move(rules)), start_(start_step), target_(target_step), last_(start_step) {
  CHECK(start_step < target_step, "a slice of at least one step");
}

void ReportParser::set_target(uint64_t target_step) {
  CHECK(target_step > last_, "a slice of at least one step");
  start_ = last_;
  target_ = target_step;
  complaints_ = 0;
}

void ReportParser::complain(std::string text, std::optional<Report> refused, Heard& heard) {
  if (complaints_ >= kMaxComplaints) return;
  ++complaints_;
  if (complaints_ == kMaxComplaints) text = "more is wrong with the reports of this slice";
  heard.complaints.push_back({std::move(text), refused});
}

// Why the report cannot count; empty = it can.
std::string ReportParser::objection(const Report& report) const {
  if (report.step > target_) {
    return fmt::format(
        "step {} was reported, but the target is {}; end the training after CMBO_TARGET_STEP",
        report.step, target_);
  }
  const bool before_training = report.step == 0 && start_ == 0 && accepted_.empty();
  if (report.step > last_ || before_training) return "";
  if (report.step <= start_ && start_ > 0) {
    return fmt::format(
        "step {} was reported, but this slice began after step {}; load the checkpoint and go on "
        "with step CMBO_START_STEP + 1",
        report.step, start_);
  }
  return fmt::format("step {} was reported after step {}; report each step once, in order",
                     report.step, last_);
}

void ReportParser::accept(const Report& report, Heard& heard) {
  const auto known = accepted_.find(report.step);
  if (known != accepted_.end() && same_value(known->second, report.value)) return;
  if (std::string text = objection(report); !text.empty()) {
    overran_ = overran_ || report.step > target_;
    complain(std::move(text), report, heard);
    return;
  }
  accepted_[report.step] = report.value;
  last_ = report.step;
  diverged_ = diverged_ || !std::isfinite(report.value);
  heard.reports.push_back(report);
}

void ReportParser::hear_output(std::string_view line, Heard& heard) {
  const auto report = report_from_output(line, rules_);
  if (!report.ok()) return complain("stdout: " + report.error().message(), {}, heard);
  if (*report) accept(**report, heard);
}

void ReportParser::hear_report_file(std::string_view line, Heard& heard) {
  if (line.empty()) return;
  const auto report = report_from_json(line, rules_);
  if (!report.ok()) return complain("report.jsonl: " + report.error().message(), {}, heard);
  accept(*report, heard);
}

Heard ReportParser::feed_output(std::string_view bytes) {
  Heard heard;
  output_.feed(bytes, [&](std::string_view line) { hear_output(line, heard); });
  return heard;
}

Heard ReportParser::feed_report_file(std::string_view bytes) {
  Heard heard;
  report_file_.feed(bytes, [&](std::string_view line) { hear_report_file(line, heard); });
  return heard;
}

Heard ReportParser::finish() {
  Heard heard;
  hear_output(output_.take_rest(), heard);
  hear_report_file(report_file_.take_rest(), heard);
  return heard;
}

}  // namespace cmbo::runner
