// SPDX-License-Identifier: Apache-2.0
#include "curves/formats.h"
#include "fuzz_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = cmbo::source_from_string(cmbo::fuzz::text_of(data, size));
  cmbo::curves::CurveSet set;
  const cmbo::Status status = cmbo::curves::read_jsonl(*source, "input.jsonl", set);
  if (!status.ok()) {
    CHECK(status.error().message().find("input.jsonl") != std::string::npos,
          status.error().message());
  }
  return 0;
}
