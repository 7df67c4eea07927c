// SPDX-License-Identifier: Apache-2.0
//
// A space that is accepted must offer a pool whose configurations survive both of their forms.
#include "fuzz_source.h"
#include "space/pool.h"

namespace {

constexpr size_t kPool = 8;

bool is_discrete(const cmbo::space::Space& space) {
  for (const auto& parameter : space.parameters()) {
    if (!parameter.count()) return false;
  }
  return true;
}

void check_pool(const cmbo::space::Space& space) {
  std::vector<double> encoded(space.encoded_size());
  for (const auto& configuration : cmbo::space::sobol_pool(space, kPool, 1)) {
    space.encode(configuration, encoded);
    for (const double number : encoded) CHECK(number >= 0 && number <= 1, "outside [0,1]");
    const auto decoded = space.decode(encoded);
    CHECK(!is_discrete(space) || decoded == configuration, "decode(encode) differs");
    const cmbo::Json json = space.configuration_to_json(configuration);
    CHECK(space.configuration_from_json(json).ok(), json.dump());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = cmbo::parse_json(cmbo::fuzz::text_of(data, size));
  if (!json.ok()) return 0;
  const auto space = cmbo::space::Space::from_json(*json);
  if (!space.ok()) return 0;
  CHECK(cmbo::space::Space::from_json(space->to_json()).ok(), "the space cannot be read again");
  check_pool(*space);
  return 0;
}
