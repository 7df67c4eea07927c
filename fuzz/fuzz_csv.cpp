// SPDX-License-Identifier: Apache-2.0
//
// Each input is read twice: with an inferred space and with a given one.
#include "curves/formats.h"
#include "fuzz_source.h"

namespace {

void read(std::string_view text, const cmbo::curves::ReadOptions& options) {
  cmbo::curves::CurveSet set;
  const auto source = cmbo::source_from_string(text);
  const cmbo::Status status = cmbo::curves::read_csv(*source, "input.csv", options, set);
  cmbo::fuzz::check_outcome(status, set, "input.csv");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const cmbo::space::Space space = cmbo::space::Space::from_yaml(R"(
lr: {type: float, low: 1e-5, high: 1, log: true}
opt: {type: categorical, choices: [sgd, adam, 3, true]}
m: {type: int, low: 0, high: 10, when: {opt: sgd}})")
                                              .value();
  cmbo::curves::ReadOptions options;
  options.goal = cmbo::curves::Goal::kMaximize;
  read(cmbo::fuzz::text_of(data, size), options);
  options.space = space;
  read(cmbo::fuzz::text_of(data, size), options);
  return 0;
}
