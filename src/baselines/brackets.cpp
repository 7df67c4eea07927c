// SPDX-License-Identifier: Apache-2.0
#include "baselines/brackets.h"

#include <algorithm>

#include "base/check.h"

namespace cmbo::baselines {

namespace {

// horizon / eta^k for k = 0, 1, ..., as long as it is at least one epoch; rounded, descending.
std::vector<uint32_t> descending_rungs(size_t horizon, uint32_t eta) {
  std::vector<uint32_t> rungs;
  for (size_t divisor = 1; divisor <= horizon; divisor *= eta) {
    rungs.push_back(static_cast<uint32_t>((2 * horizon + divisor) / (2 * divisor)));
  }
  return rungs;
}

}  // namespace

std::vector<Bracket> hyperband_brackets(size_t horizon, uint32_t eta) {
  CHECK(eta >= 2 && horizon >= 1, "rungs must grow");
  std::vector<uint32_t> rungs = descending_rungs(horizon, eta);
  std::reverse(rungs.begin(), rungs.end());
  const size_t count = rungs.size();  // s_max + 1
  std::vector<Bracket> brackets(count);
  size_t power = 1;
  for (size_t s = 0; s < count; ++s) {
    Bracket& bracket = brackets[count - 1 - s];
    bracket.configurations = (count * power + s) / (s + 1);
    bracket.rungs.assign(rungs.end() - static_cast<ptrdiff_t>(s + 1), rungs.end());
    power *= eta;
  }
  return brackets;
}

size_t promoted(size_t count, uint32_t eta) {
  return std::max<size_t>(1, count / eta);
}

}  // namespace cmbo::baselines
