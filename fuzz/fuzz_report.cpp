// SPDX-License-Identifier: Apache-2.0
//
// What a training prints and writes, in pieces of any size: never a crash, and what is accepted
// keeps the promises of ReportParser.
#include <algorithm>

#include "base/utf8.h"
#include "fuzz_source.h"
#include "runner/report_parser.h"

namespace {

constexpr uint64_t kStart = 2, kTarget = 6;

// The first byte says how long the pieces are.
template <typename Feed>
void feed_in_pieces(std::string_view text, Feed feed) {
  const size_t piece = 1 + static_cast<unsigned char>(text.empty() ? '\0' : text.front());
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    feed(text.substr(0, piece));
}

void check_heard(const cmbo::runner::Heard& heard, uint64_t& last) {
  for (const auto& report : heard.reports) {
    CHECK(report.step > last && report.step <= kTarget, "steps increase up to the target");
    last = report.step;
  }
  for (const auto& complaint : heard.complaints) {
    CHECK(!complaint.text.empty() && cmbo::is_utf8(complaint.text), complaint.text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = cmbo::fuzz::text_of(data, size);
  cmbo::runner::ReportParser parser({.metric = "acc", .fidelity = "round"}, kStart, kTarget);
  uint64_t last = kStart;
  feed_in_pieces(text, [&](auto piece) { check_heard(parser.feed_output(piece), last); });
  feed_in_pieces(text, [&](auto piece) { check_heard(parser.feed_report_file(piece), last); });
  check_heard(parser.finish(), last);
  CHECK(parser.last_step() == last, "the last step");
  return 0;
}
