// SPDX-License-Identifier: Apache-2.0
#include "curves/mixup.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace cmbo::curves {

namespace {

constexpr float kLeastInitial = 0.05F;  // of tables that are mixed with weights beyond 0 and 1
constexpr double kNoRelatives = 0.1;    // share of draws, as for configurations never tried before
constexpr double kRelativeMissing = 0.3;
constexpr double kEliteRank = 40.0;  // mean, from 0
constexpr size_t kNoTask = SIZE_MAX;

// std::lerp is exact at both ends, between them bounded by its arguments, and keeps equal values
// equal.
float mix(float first, float second, float lambda) {
  return std::lerp(second, first, lambda);
}

// How much further a mixture of two values goes if its weight goes beyond 0 and 1.
float further(float first, float second, float lambda) {
  return mix(first, second, lambda) - mix(first, second, std::clamp(lambda, 0.0F, 1.0F));
}

// A weight beyond 0 and 1 is for what lies above y_0: the opposite of a failure is no success.
// Below it, down to 0, the weight stays within, and y_0 itself moves it in proportion.
float mixed_value(const TaskMix& tasks, size_t row, size_t epoch) {
  const CurveTable& a = tasks.first;
  const CurveTable& b = tasks.second;
  const size_t at = row * a.horizon + epoch;
  const float inside = std::clamp(tasks.lambda, 0.0F, 1.0F);
  const float mixed = mix(a.y[at], b.y[at], inside);
  if (inside == tasks.lambda) return mixed;
  const float initial = mix(a.initial, b.initial, inside);
  const float share = initial > 0.0F ? std::min(1.0F, mixed / initial) : 1.0F;
  const float rise = further(std::max(0.0F, a.y[at] - a.initial),
                             std::max(0.0F, b.y[at] - b.initial), tasks.lambda);
  return std::clamp(mixed + rise + share * further(a.initial, b.initial, tasks.lambda), 0.0F, 1.0F);
}

uint32_t mixed_length(const TaskMix& tasks, size_t row) {
  return std::min(tasks.first.lengths[row], tasks.second.lengths[row]);
}

// Of the same shape and y_0, without rows.
CurveTable empty_like(const CurveTable& table) {
  CurveTable empty;
  empty.dimensions = table.dimensions;
  empty.horizon = table.horizon;
  empty.initial = table.initial;
  return empty;
}

// Which of the rows keep a single configuration.
std::vector<bool> draw_singles(size_t count, size_t singles, Random& random) {
  std::vector<char> marks(count, 0);
  std::fill_n(marks.begin(), singles, char{1});
  random.shuffle(std::span(marks));
  return {marks.begin(), marks.end()};
}

// In [-beyond, 1 + beyond], but no further out than y_0 stays clear of 0 and 1.
float draw_task_weight(float first, float second, double beyond, Random& random) {
  const auto lambda = static_cast<float>(random.uniform() * (1.0 + 2.0 * beyond) - beyond);
  if (lambda >= 0.0F && lambda <= 1.0F) return lambda;
  const float initial = mix(first, second, lambda);
  const float inside = std::clamp(initial, std::min({kLeastInitial, first, second}),
                                  std::max({1.0F - kLeastInitial, first, second}));
  return inside == initial ? lambda : (inside - second) / (first - second);
}

RowMix draw_pair(size_t size, Random& random) {
  RowMix rows;
  rows.first = random.index(size);
  rows.second = size > 1 ? (rows.first + 1 + random.index(size - 1)) % size : rows.first;
  rows.lambda = static_cast<float>(random.uniform());
  return rows;
}

// Which of the tasks `partners` are relatives of a table that is made of m and other.
std::vector<size_t> draw_relatives(std::span<const size_t> partners, size_t m, size_t other,
                                   double parents_kept_back, Random& random) {
  std::vector<size_t> relatives;
  if (random.chance(kNoRelatives)) return relatives;
  const bool without_parents = random.chance(parents_kept_back);
  const double missing = random.chance(0.5) ? kRelativeMissing : 0.0;
  for (const size_t k : partners) {
    const bool parent = k == m || k == other;
    if (!(parent && without_parents) && !random.chance(missing)) relatives.push_back(k);
  }
  return relatives;
}

// The first `count` places of a random order of 0..size-1, by a partial shuffle.
std::vector<size_t> draw_without_replacement(size_t size, size_t count, Random& random) {
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = 0; i < count; ++i) std::swap(order[i], order[i + random.index(size - i)]);
  order.resize(count);
  return order;
}

float best_of(const CurveTable& table, size_t row) {
  const std::span<const float> curve = table.curve(row);
  return curve.empty() ? 0.0F : *std::max_element(curve.begin(), curve.end());
}

std::vector<size_t> rows_best_first(const CurveTable& table) {
  std::vector<size_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::vector<float> best(table.size());
  for (size_t n = 0; n < best.size(); ++n) best[n] = best_of(table, n);
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) { return best[a] > best[b]; });
  return rows;
}

// One of the tasks `partners` that a table of m and other is not made of, or kNoTask.
size_t draw_other(std::vector<size_t> partners, size_t m, size_t other, Random& random) {
  std::erase_if(partners, [&](size_t k) { return k == m || k == other; });
  if (partners.empty()) return kNoTask;
  return partners[random.index(partners.size())];
}

// `count` different rows in random order, `elites` of them rather from the front of `best_first`.
std::vector<size_t> draw_with_elites(std::span<const size_t> best_first, size_t elites,
                                     size_t count, Random& random) {
  const size_t size = best_first.size();
  std::vector<char> taken(size, 0);  // [row]
  std::vector<size_t> rows;
  const auto take = [&](size_t row) {
    taken[row] = 1;
    rows.push_back(row);
  };
  while (rows.size() < std::min(elites, count)) {
    const double rank = -kEliteRank * std::log(1.0 - random.uniform());
    size_t at = std::min(size - 1, static_cast<size_t>(rank));
    while (taken[best_first[at]] != 0) at = (at + 1) % size;
    take(best_first[at]);
  }
  for (const size_t row : draw_without_replacement(size, size, random)) {
    if (rows.size() >= count) break;
    if (taken[row] == 0) take(row);
  }
  random.shuffle(std::span<size_t>(rows));
  return rows;
}

}  // namespace

bool share_configurations(const CurveTable& a, const CurveTable& b) {
  return a.dimensions == b.dimensions && a.horizon == b.horizon && a.size() == b.size() &&
         a.x == b.x;
}

void add_mixed_row(const TaskMix& tasks, const RowMix& rows, CurveTable& table) {
  CHECK(table.dimensions == tasks.first.dimensions && table.horizon == tasks.first.horizon,
        "a mixed row needs a table of its own shape");
  const auto length = std::min(mixed_length(tasks, rows.first), mixed_length(tasks, rows.second));
  const CurveTable::Row row = table.add(length);
  const auto x_first = tasks.first.configuration(rows.first);
  const auto x_second = tasks.first.configuration(rows.second);
  for (size_t i = 0; i < row.x.size(); ++i) row.x[i] = mix(x_first[i], x_second[i], rows.lambda);
  for (size_t t = 0; t < length; ++t) {
    row.y[t] =
        mix(mixed_value(tasks, rows.first, t), mixed_value(tasks, rows.second, t), rows.lambda);
  }
}

Mixup::Mixup(std::vector<CurveTable> tables) : tables_(std::move(tables)) {
  CHECK(!tables_.empty(), "mixup needs a table");
  for (size_t m = 0; m < tables_.size(); ++m) {
    CHECK(tables_[m].size() > 0, "mixup needs tables with rows");
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const auto& members) {
      return share_configurations(tables_[members.front()], tables_[m]);
    });
    group_of_.push_back(static_cast<size_t>(group - groups_.begin()));
    if (group == groups_.end()) groups_.emplace_back();
    groups_[group_of_.back()].push_back(m);
    best_first_.push_back(rows_best_first(tables_[m]));
  }
}

DrawnTable Mixup::draw(size_t count, const MixupOptions& options, Random& random) const {
  CHECK(options.unmixed_share >= 0 && options.unmixed_share <= 1, "a share is in [0, 1]");
  CHECK(options.beyond >= 0, "weights reach 0 and 1 at least");
  const size_t m = random.index(tables_.size());
  const size_t other = options.across_tasks ? partners(m)[random.index(partners(m).size())] : m;
  const TaskMix tasks{
      tables_[m], tables_[other],
      draw_task_weight(tables_[m].initial, tables_[other].initial, options.beyond, random)};
  const size_t size = tasks.first.size();

  if (!options.across_configurations) count = std::min(count, size);
  const double share = options.across_configurations ? options.unmixed_share : 1.0;
  const auto wanted = static_cast<size_t>(std::lround(share * static_cast<double>(count)));
  const size_t elsewhere =
      options.elite_share > 0 ? draw_other(partners(m), m, other, random) : kNoTask;
  std::vector<size_t> singles;
  if (elsewhere != kNoTask) {
    const auto elites = static_cast<size_t>(options.elite_share * static_cast<double>(count));
    singles = draw_with_elites(best_first_[elsewhere], std::min(elites, wanted),
                               std::min(wanted, size), random);
  } else {
    singles = draw_without_replacement(size, std::min(wanted, size), random);
  }

  DrawnTable drawn;
  drawn.table = empty_like(tasks.first);
  drawn.table.initial = mix(tasks.first.initial, tasks.second.initial, tasks.lambda);
  std::vector<size_t> relatives;
  if (options.relatives) {
    relatives = draw_relatives(partners(m), m, other, options.parents_kept_back, random);
  }
  for (const size_t k : relatives) drawn.relatives.push_back(empty_like(tables_[k]));
  CurveTable there = empty_like(tasks.first);
  for (const bool single : draw_singles(count, singles.size(), random)) {
    RowMix rows = single ? RowMix{singles.back(), singles.back()} : draw_pair(size, random);
    if (single) singles.pop_back();
    add_mixed_row(tasks, rows, drawn.table);
    if (elsewhere != kNoTask) {
      add_mixed_row({tables_[elsewhere], tables_[elsewhere]}, rows, there);
    }
    for (size_t i = 0; i < relatives.size(); ++i) {
      const CurveTable& relative = tables_[relatives[i]];
      add_mixed_row({relative, relative}, rows, drawn.relatives[i]);
    }
  }
  for (size_t n = 0; n < there.size(); ++n) drawn.elsewhere.push_back(best_of(there, n));
  return drawn;
}

}  // namespace cmbo::curves
