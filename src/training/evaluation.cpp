// SPDX-License-Identifier: Apache-2.0
#include "training/evaluation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "training/example.h"

namespace cmbo::training {

namespace {

using curves::CurveTable;

constexpr std::array<float, 5> kLevels = {0.05F, 0.25F, 0.5F, 0.75F, 0.95F};

struct Judged {
  Scores last, later;
  Fate fate = Fate::kMoved;
};

// A question about one row that has been observed for `prefix` epochs, among `total` observations
// of other rows.
Example question_about(const CurveTable& table, uint32_t row, size_t total, size_t prefix,
                       Random& random) {
  std::vector<uint32_t> lengths = draw_state(table, total, random);
  lengths[row] = static_cast<uint32_t>(prefix);
  const uint32_t last = table.lengths[row];
  const auto later = static_cast<uint32_t>(prefix + 1 + random.index(last - prefix));
  return example_of_state(table, lengths, std::array{row}, {last, later}, 2);
}

}  // namespace

void Scores::add(const Scores& other) {
  if (other.count == 0) return;
  const auto all = static_cast<double>(count + other.count);
  const double mine = static_cast<double>(count) / all;
  const double theirs = static_cast<double>(other.count) / all;
  nll = mine * nll + theirs * other.nll;
  mae = mine * mae + theirs * other.mae;
  coverage50 = mine * coverage50 + theirs * other.coverage50;
  coverage90 = mine * coverage90 + theirs * other.coverage90;
  count += other.count;
}

Fate fate_of(float truth, float last_seen) {
  if (truth <= 0.0F) return Fate::kDiverged;
  return std::abs(truth - last_seen) <= kStaying ? Fate::kStayed : Fate::kMoved;
}

Scores score(const network::BarDistribution& distribution, float truth) {
  std::array<float, kLevels.size()> q{};
  distribution.quantiles(kLevels, q);
  const auto atom = static_cast<double>(distribution.cdf(distribution.bars->borders()[1]));
  const auto within = [&](size_t low, size_t high) {
    if (truth > 0.0F) return truth >= q[low] && truth <= q[high] ? 1.0 : 0.0;
    return network::coverage_of_atom(atom, static_cast<double>(kLevels[low]),
                                     static_cast<double>(kLevels[high]));
  };
  return {-distribution.log_density(truth), static_cast<double>(std::abs(truth - q[2])),
          within(1, 3), within(0, 4), 1};
}

std::vector<Cell> evaluate(const network::Model& model, std::span<const CurveTable> tables,
                           const EvaluationOptions& options, ThreadPool& pool) {
  std::vector<Cell> cells;
  for (const size_t total : options.totals) {
    for (const size_t prefix : options.prefixes) cells.push_back({total, prefix, {}, {}, {}});
  }
  const size_t each = options.asked, questions = cells.size() * tables.size() * each;
  std::vector<Judged> scores(questions);
  pool.parallel_for(questions, [&](size_t i) {
    const Cell& cell = cells[i / each / tables.size()];
    const CurveTable& table = tables[i / each % tables.size()];
    Random random = Random(options.seed).fork(i);
    const auto row = static_cast<uint32_t>(random.index(table.size()));
    if (cell.prefix >= table.lengths[row]) return;
    Example example = question_about(table, row, cell.total, cell.prefix, random);
    network::Question& question = example.question;
    question.hints = model.records().hints(question.observed, question.context);
    scores[i].fate = fate_of(example.targets.values[0], question.last_value(row));
    ThreadPool here(1);
    model.network().answer(
        model.weights().data(), question, here, [&](const network::AnswerBlock& block) {
          for (size_t a = 0; a < block.count; ++a) {
            const size_t at = block.first + a;
            (at == 0 ? scores[i].last : scores[i].later) =
                score(block.distribution(model.bars(), a), example.targets.values[at]);
          }
        });
  });
  for (size_t i = 0; i < questions; ++i) {
    Cell& cell = cells[i / each / tables.size()];
    cell.last.add(scores[i].last);
    cell.later.add(scores[i].later);
    cell.by_fate[static_cast<size_t>(scores[i].fate)].add(scores[i].last);
  }
  return cells;
}

Overall overall(std::span<const Cell> cells) {
  Overall result;
  for (const Cell& cell : cells) {
    Scores last = cell.last, later = cell.later;
    last.count = std::min<size_t>(last.count, 1);  // every cell counts the same
    later.count = std::min<size_t>(later.count, 1);
    result.last.add(last);
    result.later.add(later);
    for (size_t f = 0; f < kFates; ++f) result.by_fate[f].add(cell.by_fate[f]);
  }
  return result;
}

}  // namespace cmbo::training
