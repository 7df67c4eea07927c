// SPDX-License-Identifier: Apache-2.0
#include "curves/formats.h"
#include "fuzz_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = cmbo::source_from_string(cmbo::fuzz::text_of(data, size));
  cmbo::curves::CurveSet set;
  const cmbo::Status status = cmbo::curves::read_lcbench(*source, "input.json", set);
  cmbo::fuzz::check_outcome(status, set, "input.json");
  return 0;
}
