// SPDX-License-Identifier: Apache-2.0
//
// Weights that are accepted must survive being written and read again, to the bit.
#include "fuzz_source.h"
#include "network/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = cmbo::network::parse_safetensors(cmbo::fuzz::text_of(data, size));
  if (!file.ok()) {
    CHECK(!file.error().message().empty(), "an error without a text");
    return 0;
  }
  const std::string written = cmbo::network::to_safetensors(*file);
  const auto again = cmbo::network::parse_safetensors(written);
  CHECK(again.ok(), again.error().message());
  CHECK(again->metadata == file->metadata, "the metadata differ");
  CHECK(again->tensors.size() == file->tensors.size(), "the number of tensors differs");
  for (size_t i = 0; i < file->tensors.size(); ++i) {
    CHECK(again->tensors[i].name == file->tensors[i].name, "a name differs");
    CHECK(again->tensors[i].shape == file->tensors[i].shape, "a shape differs");
  }
  // The values, -0 included: the same bytes.
  CHECK(cmbo::network::to_safetensors(*again) == written, "written twice, it differs");
  return 0;
}
