// SPDX-License-Identifier: Apache-2.0
#include "cli/decide_input.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/json_view.h"

namespace cmbo::cli {

namespace {

using decide::LoopOptions;
using decide::Point;
using decide::Step;
using decide::StoppingRule;
using decide::Utility;
using forecast::Samples;

constexpr uint32_t kLongestHorizon = 100'000;

// What is wrong with a value begins with its key; this adds the object.
template <typename T>
Result<T> inside(const char* object, Result<T> result) {
  if (result.ok()) return result;
  return Error(fmt::format("{}.{}", object, result.error().message()));
}

Result<std::vector<Point>> read_points(const JsonView& outer, const char* key) {
  std::vector<Point> points;
  if (!outer.has(key)) return points;
  const JsonView view = outer.key(key);
  CMBO_TRY(const size_t count, view.length());
  for (size_t i = 0; i < count; ++i) {
    const JsonView pair = view[i];
    CMBO_TRY(const size_t length, pair.length());
    if (length != 2) return pair.error(fmt::format("must be a pair of numbers, not {}", length));
    CMBO_TRY(const double at, pair[0].number());
    CMBO_TRY(const double value, pair[1].number());
    points.push_back({at, value});
  }
  return points;
}

Result<Utility> read_formula(const JsonView& view, double budget) {
  if (!view.has("exponent")) {
    CMBO_RETURN_IF_ERROR(view.check_keys({"alpha"}, {"exponent"}));
    CMBO_TRY(const double alpha, view.key("alpha").number());
    return inside("utility", Utility::linear(alpha));
  }
  CMBO_RETURN_IF_ERROR(view.check_keys({"alpha", "exponent"}, {"budget"}));
  CMBO_TRY(const double alpha, view.key("alpha").number());
  CMBO_TRY(const double exponent, view.key("exponent").number());
  if (view.has("budget")) {
    CMBO_TRY(budget, view.key("budget").number());
  }
  return inside("utility", Utility::power(alpha, exponent, budget));
}

Result<Utility> read_table(const JsonView& view) {
  CMBO_RETURN_IF_ERROR(view.check_keys({}, {"value", "price"}));
  CMBO_TRY(std::vector<Point> value, read_points(view, "value"));
  CMBO_TRY(std::vector<Point> price, read_points(view, "price"));
  return inside("utility", Utility::table(std::move(value), std::move(price)));
}

Result<Utility> read_utility(const JsonView& view, double budget) {
  const bool table = view.has("value") || view.has("price");
  return table ? read_table(view) : read_formula(view, budget);
}

Status read_rule(const JsonView& view, StoppingRule& rule) {
  CMBO_TRY(const std::string name, view.text());
  if (name != "paper" && name != "look" && name != "never") {
    return view.error("must be look, paper or never");
  }
  rule.enabled = name != "never";
  rule.by = name == "paper" ? decide::StopBy::kRegret : decide::StopBy::kLook;
  return {};
}

Status read_stopping(const JsonView& view, StoppingRule& rule) {
  CMBO_RETURN_IF_ERROR(view.check_keys({}, {"rule", "beta", "gamma"}));
  if (view.has("rule")) CMBO_RETURN_IF_ERROR(read_rule(view.key("rule"), rule));
  for (const auto& [key, field] : {std::pair{"beta", &rule.beta}, {"gamma", &rule.gamma}}) {
    if (!view.has(key)) continue;
    CMBO_TRY(*field, view.key(key).number());
  }
  return inside("stopping", decide::check(rule));
}

// The parts that refer to each other: steps, samples and costs of the configurations.
class PoolReader {
 public:
  PoolReader(const JsonView& root, uint32_t horizon) : root_(root), horizon_(horizon) {
    samples_.horizon = horizon;
  }

  Status read() {
    CMBO_TRY(const size_t steps, root_.key("steps").length());
    CMBO_TRY(const size_t futures, root_.key("samples").length());
    // Without gaps there cannot be more of them, and memory is bounded by the size of the file.
    lengths_.resize(std::min<size_t>(steps + futures, UINT32_MAX));
    for (size_t i = 0; i < steps; ++i) CMBO_RETURN_IF_ERROR(read_step(i));
    for (size_t i = 0; i < futures; ++i) CMBO_RETURN_IF_ERROR(read_future(i));
    lengths_.resize(configurations_);
    CMBO_RETURN_IF_ERROR(check_complete());
    return read_costs();
  }

  const std::vector<double>& costs() const { return costs_; }
  DecideInput result(Utility utility, LoopOptions options) && {
    return {std::move(utility), std::move(options), std::move(steps_), std::move(samples_),
            configurations_};
  }

 private:
  Result<uint32_t> read_configuration(const JsonView& entry) {
    const JsonView view = entry.key("configuration");
    CMBO_TRY(const uint32_t n, view.whole(0, UINT32_MAX));
    if (n >= lengths_.size()) {
      return view.error(
          fmt::format("is {}, more than there are configurations; number them from 0 "
                      "without gaps",
                      n));
    }
    configurations_ = std::max<size_t>(configurations_, n + size_t{1});
    return n;
  }

  Status read_step(size_t i) {
    const JsonView list = root_.key("steps"), view = list[i];
    CMBO_RETURN_IF_ERROR(view.check_keys({"configuration", "epoch", "value"}, {"cost"}));
    CMBO_TRY(const uint32_t n, read_configuration(view));
    CMBO_TRY(const uint32_t epoch, view.key("epoch").whole(1, horizon_));
    CMBO_TRY(const double value, view.key("value").number(0, 1));
    if (epoch != lengths_[n] + 1) {
      return view.key("epoch").error(
          fmt::format("is {} after epoch {} of configuration {}; give all epochs in their order",
                      epoch, lengths_[n], n));
    }
    lengths_[n] = epoch;
    Step step{n, epoch, static_cast<float>(value), std::nan("")};
    if (view.has("cost")) {
      CMBO_TRY(step.cost, view.key("cost").positive());
    }
    steps_.push_back(step);
    return {};
  }

  Status read_future(size_t i) {
    const JsonView list = root_.key("samples"), view = list[i];
    CMBO_RETURN_IF_ERROR(view.check_keys({"configuration", "curves"}));
    CMBO_TRY(const uint32_t n, read_configuration(view));
    if (!samples_.asked.empty() && n <= samples_.asked.back()) {
      return view.key("configuration").error("give each configuration once, in ascending order");
    }
    if (lengths_[n] == horizon_) {
      return view.error(fmt::format("configuration {} is fully trained; leave it out", n));
    }
    const JsonView curves = view.key("curves");
    CMBO_TRY(const size_t count, curves.length());
    if (count == 0) return curves.error("must have at least one curve");
    if (i > 0 && count != samples_.count) {
      return curves.error(fmt::format("has {} curves, samples[0] has {}; give as many of each",
                                      count, samples_.count));
    }
    samples_.count = count;
    samples_.asked.push_back(n);
    samples_.lengths.push_back(lengths_[n]);
    return read_curves(curves);
  }

  // To [T][S] from [S][epochs left].
  Status read_curves(const JsonView& curves) {
    const size_t seen = samples_.lengths.back(), left = horizon_ - seen;
    for (size_t s = 0; s < samples_.count; ++s) {
      const JsonView curve = curves[s];
      CMBO_TRY(const size_t length, curve.length());
      if (length != left) {
        return curve.error(fmt::format("has {} values; give those of the epochs {} to {}", length,
                                       seen + 1, horizon_));
      }
    }
    const size_t start = samples_.values.size();
    samples_.values.resize(start + horizon_ * samples_.count, std::nanf(""));
    for (size_t s = 0; s < samples_.count; ++s) {
      const JsonView curve = curves[s];
      for (size_t i = 0; i < left; ++i) {
        CMBO_TRY(const double y, curve[i].number(0, 1));
        samples_.values[start + (seen + i) * samples_.count + s] = static_cast<float>(y);
      }
    }
    return {};
  }

  Status check_complete() const {
    for (uint32_t n = 0; n < configurations_; ++n) {
      const auto& asked = samples_.asked;
      if (lengths_[n] == horizon_ || std::binary_search(asked.begin(), asked.end(), n)) continue;
      return root_.key("samples").error(fmt::format(
          "configuration {} is not fully trained and has no curves; add them, or number without it",
          n));
    }
    return {};
  }

  Status read_costs() {
    if (root_.has("epoch_costs")) {
      const JsonView view = root_.key("epoch_costs");
      CMBO_TRY(const size_t count, view.length());
      if (count != configurations_) {
        return view.error(fmt::format("has {} costs for {} configurations; give one for each",
                                      count, configurations_));
      }
      for (size_t n = 0; n < count; ++n) {
        CMBO_TRY(const double cost, view[n].positive());
        costs_.push_back(cost);
      }
    }
    for (Step& step : steps_) {
      if (std::isnan(step.cost)) step.cost = costs_.empty() ? 1.0 : costs_[step.configuration];
    }
    return {};
  }

  const JsonView& root_;
  uint32_t horizon_;
  size_t configurations_ = 0;
  std::vector<uint32_t> lengths_;  // epochs seen of each configuration
  std::vector<Step> steps_;        // cost NaN: as expected
  std::vector<double> costs_;
  Samples samples_;
};

}  // namespace

Result<DecideInput> decide_input_from_json(const Json& json) {
  const JsonView root(json);
  CMBO_RETURN_IF_ERROR(root.check_keys({"horizon", "budget", "utility", "steps", "samples"},
                                       {"stopping", "epoch_costs"}));
  LoopOptions options{.stopping = {.by = decide::StopBy::kRegret}};
  CMBO_TRY(const uint32_t horizon, root.key("horizon").whole(1, kLongestHorizon));
  CMBO_TRY(options.budget, root.key("budget").positive());
  CMBO_TRY(Utility utility, read_utility(root.key("utility"), options.budget));
  if (root.has("stopping")) {
    CMBO_RETURN_IF_ERROR(read_stopping(root.key("stopping"), options.stopping));
  }
  PoolReader pool(root, horizon);
  CMBO_RETURN_IF_ERROR(pool.read());
  options.epoch_costs = pool.costs();
  return std::move(pool).result(std::move(utility), std::move(options));
}

}  // namespace cmbo::cli
