// SPDX-License-Identifier: Apache-2.0
#include "fuzz_source.h"
#include "space/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = cmbo::space::yaml_to_json(cmbo::fuzz::text_of(data, size));
  if (!json.ok()) {
    CHECK(!json.error().message().empty(), "an error without a text");
    return 0;
  }
  const std::string written = json->dump();  // throws on what is not UTF-8
  CHECK(cmbo::parse_json(written).ok(), written);
  return 0;
}
