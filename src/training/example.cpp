// SPDX-License-Identifier: Apache-2.0
#include "training/example.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cmbo::training {

namespace {

using curves::CurveTable;

std::vector<uint32_t> shuffled_rows(const CurveTable& table, Random& random) {
  std::vector<uint32_t> rows(table.size());
  std::iota(rows.begin(), rows.end(), 0U);
  random.shuffle(std::span<uint32_t>(rows));
  return rows;
}

// In random order; those that promise more rather first.
std::vector<uint32_t> ordered_rows(const CurveTable& table, std::span<const float> promises,
                                   Random& random) {
  std::vector<uint32_t> rows = shuffled_rows(table, random);
  if (promises.empty()) return rows;
  const double noise = std::exp(random.uniform(std::log(0.003), std::log(0.1)));
  std::vector<double> keys(rows.size());
  for (size_t n = 0; n < keys.size(); ++n) {
    keys[n] = static_cast<double>(promises[n]) + noise * random.normal();
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
  return rows;
}

// 1 .. most, equally likely by size or by logarithm.
size_t draw_count(size_t most, bool by_logarithm, Random& random) {
  if (most <= 1) return most;
  if (!by_logarithm) return 1 + random.index(most);
  const double drawn = std::exp(random.uniform(0.0, std::log(static_cast<double>(most) + 1.0)));
  return std::clamp<size_t>(static_cast<size_t>(drawn), 1, most);
}

// `total` observations over `curves` curves of at most `longest`: each gets one, the rest by uneven
// random weights; what does not fit goes to the next curves with room.
std::vector<size_t> spread(size_t total, size_t curves, size_t longest, Random& random) {
  std::vector<double> weights(curves);
  const double unevenness = random.uniform(0.5, 3.0);
  double sum = 0.0;
  for (double& weight : weights) {
    weight = std::exp(unevenness * random.normal());
    sum += weight;
  }
  std::vector<size_t> lengths(curves);
  size_t left = total;
  for (size_t i = 0; i < curves; ++i) {
    const double extra = static_cast<double>(total - curves) * weights[i] / sum;
    lengths[i] = std::min(longest, 1 + static_cast<size_t>(extra));
    left -= lengths[i];
  }
  for (size_t i = 0; i < curves && left > 0; ++i) {
    const size_t more = std::min(left, longest - lengths[i]);
    lengths[i] += more;
    left -= more;
  }
  return lengths;
}

// Puts into `rows` first who is to be observed for longest, counts[0] >= counts[1] >= ... epochs:
// of those that are left, the worst is given up first, as in a search. That is told by what has
// been observed until then and nothing else, or the length of a curve would say how it goes on.
void give_up_worst_first(const CurveTable& table, std::span<const size_t> counts,
                         std::span<uint32_t> rows, Random& random) {
  const double noise = std::exp(random.uniform(std::log(0.005), std::log(0.5)));
  std::vector<double> luck(table.size());
  for (const uint32_t row : rows) luck[row] = noise * random.normal();
  for (size_t left = rows.size(); left > 1; --left) {
    const size_t epochs = counts[left - 1];
    const auto worth = [&](uint32_t row) {
      const auto curve = table.curve(row).first(std::min<size_t>(epochs, table.lengths[row]));
      return (curve.empty() ? 0.0 : static_cast<double>(curve.back())) + luck[row];
    };
    const auto worst =
        std::min_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(left),
                         [&](uint32_t a, uint32_t b) { return worth(a) < worth(b); });
    std::swap(*worst, rows[left - 1]);
  }
}

// Later epochs of each asked row: the last recorded one, then random ones.
std::vector<uint32_t> draw_epochs(const CurveTable& table, std::span<const uint32_t> lengths,
                                  std::span<const uint32_t> asked, size_t each, Random& random) {
  std::vector<uint32_t> epochs;
  for (const uint32_t row : asked) {
    const uint32_t seen = lengths[row], last = table.lengths[row];
    epochs.push_back(last);
    for (size_t e = 1; e < each; ++e) {
      epochs.push_back(seen + 1 + static_cast<uint32_t>(random.index(last - seen)));
    }
  }
  return epochs;
}

// Rows with something left to ask; half of `count` observed ones if there are so many.
std::vector<uint32_t> choose_asked(const CurveTable& table, std::span<const uint32_t> rows,
                                   std::span<const uint32_t> lengths, size_t count) {
  std::vector<uint32_t> observed, fresh;
  for (const uint32_t row : rows) {
    if (lengths[row] >= table.lengths[row]) continue;
    (lengths[row] > 0 ? observed : fresh).push_back(row);
  }
  observed.resize(
      std::min(observed.size(), std::max(count / 2, count - std::min(count, fresh.size()))));
  fresh.resize(std::min(fresh.size(), count - observed.size()));
  observed.insert(observed.end(), fresh.begin(), fresh.end());
  return observed;
}

}  // namespace

std::vector<uint32_t> draw_state(const CurveTable& table, size_t total, Random& random,
                                 std::span<const float> promises) {
  std::vector<uint32_t> lengths(table.size(), 0);
  if (total == 0) return lengths;
  std::vector<uint32_t> rows = ordered_rows(table, promises, random);
  const size_t fewest = (total + table.horizon - 1) / table.horizon;
  const size_t most = std::min(total, table.size());
  const size_t curves = std::max(fewest, draw_count(most, random.chance(0.5), random));
  std::vector<size_t> counts = spread(total, std::min(curves, most), table.horizon, random);
  std::sort(counts.begin(), counts.end(), std::greater<>());
  if (random.chance(0.5)) {
    give_up_worst_first(table, counts, std::span(rows).first(counts.size()), random);
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    lengths[rows[i]] = static_cast<uint32_t>(std::min<size_t>(counts[i], table.lengths[rows[i]]));
  }
  return lengths;
}

Example example_of_state(const CurveTable& table, std::span<const uint32_t> lengths,
                         std::span<const uint32_t> asked, std::vector<uint32_t> epochs,
                         size_t epochs_each) {
  Example example;
  network::Question& q = example.question;
  q.observed = table;
  q.observed.lengths.assign(lengths.begin(), lengths.end());
  for (uint32_t row = 0; row < lengths.size(); ++row) {
    if (lengths[row] > 0) q.context.push_back(row);
  }
  q.asked.assign(asked.begin(), asked.end());
  q.epochs_each = epochs_each;
  q.epochs = std::move(epochs);
  const float weight = 1.0F / static_cast<float>(std::max<size_t>(1, q.epochs.size()));
  for (size_t i = 0; i < q.epochs.size(); ++i) {
    const size_t row = q.asked[i / epochs_each];
    example.targets.values.push_back(table.y[row * table.horizon + q.epochs[i] - 1]);
    example.targets.weights.push_back(weight);
  }
  return example;
}

Example draw_example(const CurveTable& table, const ExampleOptions& options, Random& random,
                     std::span<const float> promises) {
  if (!promises.empty() && !random.chance(options.searched_share)) promises = {};
  const bool empty = random.chance(options.empty_share);
  const bool sparse = random.chance(options.sparse_share);
  const size_t total = empty ? 0 : draw_count(options.max_observations, sparse, random);
  const std::vector<uint32_t> lengths = draw_state(table, total, random, promises);
  const std::vector<uint32_t> rows = ordered_rows(table, promises, random);
  const std::vector<uint32_t> asked = choose_asked(table, rows, lengths, options.asked);
  return example_of_state(table, lengths, asked,
                          draw_epochs(table, lengths, asked, options.epochs_each, random),
                          options.epochs_each);
}

Example draw_single_curve_example(const CurveTable& table, const ExampleOptions& options,
                                  Random& random) {
  const std::vector<uint32_t> rows = shuffled_rows(table, random);
  std::vector<uint32_t> lengths(table.size(), 0);
  for (uint32_t row = 0; row < lengths.size(); ++row) {
    lengths[row] = static_cast<uint32_t>(random.index(std::max<uint32_t>(1, table.lengths[row])));
  }
  const std::vector<uint32_t> asked = choose_asked(table, rows, lengths, options.asked);
  Example example = example_of_state(
      table, lengths, asked, draw_epochs(table, lengths, asked, options.epochs_each, random),
      options.epochs_each);
  example.question.context.clear();
  return example;
}

}  // namespace cmbo::training
