// SPDX-License-Identifier: Apache-2.0
#include "replay/grouping.h"

#include <algorithm>

namespace cmbo::replay {

namespace {

template <typename Item, typename Is>
Item& find_or_add(std::vector<Item>& items, Is is, Item fresh) {
  const auto found = std::find_if(items.begin(), items.end(), is);
  if (found != items.end()) return *found;
  return items.emplace_back(std::move(fresh));
}

}  // namespace

std::vector<Group> group_runs(std::span<const RunRecord> runs) {
  std::vector<Group> groups;
  for (const RunRecord& run : runs) {
    const RunKey& key = run.key;
    Group& group = find_or_add(
        groups,
        [&](const Group& g) { return g.benchmark == key.benchmark && g.alpha == key.alpha; },
        Group{key.benchmark, key.alpha, {}});
    find_or_add(
        group.methods, [&](const auto& method) { return method.first == key.method; },
        std::pair<std::string, Runs>(key.method, {}))
        .second.push_back(&run);
  }
  return groups;
}

}  // namespace cmbo::replay
