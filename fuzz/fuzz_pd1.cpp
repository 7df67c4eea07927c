// SPDX-License-Identifier: Apache-2.0
//
// Through gunzip, because the files are published compressed; a plain input passes it unchanged.
#include "curves/formats.h"
#include "fuzz_source.h"

namespace {

cmbo::Status read(std::string_view text, cmbo::curves::CurveSet& set) {
  auto source = cmbo::curves::gunzip(cmbo::source_from_string(text));
  if (!source.ok()) return source.error().within("input.jsonl");
  cmbo::curves::Pd1Reader reader;
  CMBO_RETURN_IF_ERROR(reader.read(**source, "input.jsonl"));
  return reader.finish(set);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cmbo::curves::CurveSet set;
  const cmbo::Status status = read(cmbo::fuzz::text_of(data, size), set);
  cmbo::fuzz::check_outcome(status, set, "input.jsonl");
  return 0;
}
