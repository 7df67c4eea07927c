// SPDX-License-Identifier: Apache-2.0
#include "curves/prior_task.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cmbo::curves {

namespace {

double log_uniform(double low, double high, Random& random) {
  return low * std::pow(high / low, random.uniform());
}

// A share that is 0 in many tasks.
double rare_share(double probability, double highest, Random& random) {
  return random.chance(probability) ? highest * random.uniform() : 0.0;
}

MetricKind draw_kind(Random& random) {
  const double kind = random.uniform();
  return kind < 0.4 ? MetricKind::kLoss : kind < 0.8 ? MetricKind::kAccuracy : MetricKind::kReturn;
}

void draw_levels(TaskTraits& task, Random& random) {
  task.kind = draw_kind(random);
  if (task.kind == MetricKind::kLoss) {
    task.initial = 1.0 / std::numbers::e;
    task.best = task.initial + 0.03 + 0.6 * std::pow(random.uniform(), 0.6);
  } else if (task.kind == MetricKind::kAccuracy) {
    task.initial = 0.003 + 0.57 * std::pow(random.uniform(), 2.0);
    task.best = 1.0 - 0.35 * std::pow(random.uniform(), 1.5);
  } else {
    task.initial = random.uniform(0.15, 0.5);
    task.best = 0.97 - 0.4 * std::pow(random.uniform(), 1.2);
    task.start_spread = log_uniform(0.003, 0.1, random);
  }
  task.start = task.initial;
  if (random.chance(0.3)) {  // a level that is reached without learning, e.g. the mean prediction
    task.start +=
        random.uniform(-0.1, 0.95) * std::sqrt(random.uniform()) * (task.best - task.initial);
  }
  task.jump = log_uniform(0.1, 0.05 * task.horizon + 0.2, random);
}

void draw_quality(TaskTraits& task, Random& random) {
  task.skill = log_uniform(0.04, 8.0, random);  // small: most are alike; large: few are good
  task.hump = rare_share(0.7, 2.0, random);
  task.hump_at = random.uniform(0.2, 1.0);
  task.learn_coupling = random.uniform();
  task.flat = rare_share(0.5, 0.95, random);
  task.flat_width = log_uniform(0.01, 0.3, random);
  task.flat_creep = random.chance(0.5) ? 0.0 : log_uniform(1e-4, 1e-2, random);
  task.worse = rare_share(0.5, 0.25, random);
  task.worst_fall = random.uniform();
  task.unexplained = rare_share(0.6, 0.4, random);
}

void draw_pace(TaskTraits& task, Random& random) {
  task.half_time = log_uniform(0.003, 2.0, random) * task.horizon + 0.05;
  // `best` is about what the median pace reaches within the horizon, so slow tasks aim higher.
  const double slower = 1.0 + task.half_time / task.horizon;
  task.best = std::min(0.995, task.start + slower * (task.best - task.start));
  task.half_spread = random.uniform(0.3, 2.0);
  task.coupling = random.uniform();
  task.delay = rare_share(0.25, 0.6, random);
  for (double& weight : task.shape.weights) weight = 1.5 * random.normal();
  task.shape.power = log_uniform(0.3, 2.0, random);
  task.shape.stretch = log_uniform(0.45, 1.4, random);
  task.shape.log_range = log_uniform(2.0, 60.0, random);
  task.shape.hill = log_uniform(0.8, 5.0, random);
}

void draw_instability(TaskTraits& task, Random& random) {
  task.diverged = rare_share(0.55, 0.3, random);
  task.diverge_pace = random.uniform(2.0, 10.0);
  task.diverge_latest = random.uniform(0.3, 1.2);
  const bool to_chance = task.kind != MetricKind::kLoss && random.chance(0.6);
  task.dead_level = to_chance ? task.initial : 0.0;
  task.unstable = rare_share(0.6, 0.3, random);
  task.shock = random.uniform(0.1, 1.3);
  task.recovery = log_uniform(0.02, 5.0, random) * task.horizon;
  task.unstable_noise = log_uniform(1.0, 20.0, random);
}

// All that learn overfit in the end, the faster the sooner, as where labels are wrong.
void draw_memorizing(TaskTraits& task, double most_lost, Random& random) {
  task.overfit = random.uniform(0.5, 1.5);
  task.overfit_loss = random.uniform(0.0, most_lost);
  task.overfit_after = log_uniform(2.0, 20.0, random);
}

void draw_events(TaskTraits& task, Random& random) {
  task.overfit = rare_share(0.4, 0.8, random);
  task.overfit_loss = 0.7 * std::pow(random.uniform(), 3.0);
  task.overfit_at = random.uniform(0.02, 0.8);
  task.overfit_bend = random.uniform(0.4, 1.6);
  const bool loss = task.kind == MetricKind::kLoss;
  if (random.chance(loss ? 0.3 : 0.1)) draw_memorizing(task, loss ? 1.5 : 0.5, random);
  task.broken = rare_share(0.3, 0.6, random);
  const double break_kind = random.uniform();
  task.break_speed = break_kind < 0.4 ? 0.0 : break_kind < 0.7 ? 0.3 : random.uniform(2.0, 8.0);
  if (random.chance(0.06)) {
    task.step_at = std::round(random.uniform(0.2, 0.8) * task.horizon) + 1.0;
    task.step_share = random.uniform(0.05, 0.35);
  }
}

// An accuracy is a share of n examples: a multiple of 1 / n, of which some come and go from epoch
// to epoch, up to the deviation of n draws.
void draw_grain(TaskTraits& task, Random& random) {
  task.noise.grain = log_uniform(1e-4, 0.02, random);
  const double wrong = 0.1;  // a usual share of them
  const double of_draws = std::sqrt(wrong * task.noise.grain);
  task.noise.white = std::max(task.noise.white, random.uniform(0.0, 0.7) * of_draws);
}

void draw_noise(TaskTraits& task, Random& random) {
  const bool noisy_kind = task.kind == MetricKind::kReturn;
  const double size = random.chance(noisy_kind ? 0.02 : 0.25) ? 0.0
                      : noisy_kind                            ? log_uniform(3e-3, 8e-2, random)
                                                              : log_uniform(2e-4, 3e-2, random);
  const double correlated = random.chance(0.3) ? 0.0 : random.uniform();
  task.noise.white = size * std::sqrt(1.0 - correlated);
  task.noise.correlated = size * std::sqrt(correlated);
  task.noise.persistence = random.uniform(0.3, 0.97);
  task.noise.resting = noisy_kind ? random.uniform() : log_uniform(1e-3, 1.0, random);
  task.noise.spike_rate = rare_share(0.15, 0.03, random);
  task.noise_spread = random.uniform(0.1, 1.2);
  task.rough = rare_share(0.2, 0.15, random);
  if (task.kind == MetricKind::kAccuracy && random.chance(0.7)) draw_grain(task, random);
}

// The share of [edge, edge + width] below u, in [0,1].
double depth_in(double u, double edge, double width) {
  return width > 0 ? std::clamp((u - edge) / width, 0.0, 1.0) : 0.0;
}

double smoothstep(double x) {
  return x * x * (3.0 - 2.0 * x);
}

// The scores of one configuration.
struct Scores {
  const LatentScores& all;
  size_t n;
  double z(size_t s) const { return all.at(s, n); }
  double u(size_t s) const { return normal_cdf(z(s)); }
};

void set_levels(const TaskTraits& task, const Scores& scores, CurveShape& shape) {
  shape.initial = task.initial;
  shape.start =
      std::max(0.5 * task.initial, task.start + task.start_spread * scores.z(Latent::kStart));
  shape.jump = task.jump;
  const double learns = smoothstep(depth_in(scores.u(Latent::kLearn), task.flat, task.flat_width));
  if (learns <= 0) {
    shape.asymptote = shape.start + task.flat_creep * scores.z(Latent::kSpeed);
    return;
  }
  const double quality = scores.u(Latent::kQuality);
  if (quality < task.worse) {
    const double fall = task.worst_fall * (1.0 - quality / task.worse);
    shape.asymptote = shape.start * (1.0 - learns * fall);
  } else {
    const double level = std::pow((quality - task.worse) / (1.0 - task.worse), task.skill);
    shape.asymptote = shape.start + (task.best - shape.start) * learns * level;
  }
}

void set_pace(const TaskTraits& task, const Scores& scores, CurveShape& shape) {
  const double faster = task.coupling * scores.z(Latent::kIntensity) + scores.z(Latent::kSpeed);
  shape.half =
      std::clamp(task.half_time * std::exp(-task.half_spread * faster), 0.02, 20.0 * task.horizon);
  shape.delay = task.delay * task.horizon * std::max(0.0, scores.u(Latent::kDelay) - 0.4);
  double sum = 0;
  for (size_t k = 0; k < shape.weights.size(); ++k) {
    shape.weights[k] = std::exp(task.shape.weights[k] + 0.7 * scores.z(Latent::kFirstWeight + k));
    sum += shape.weights[k];
  }
  for (double& weight : shape.weights) weight /= sum;
  const double bend = std::exp(0.2 * scores.z(Latent::kBend));
  shape.power = task.shape.power * bend;
  shape.stretch = task.shape.stretch * bend;
  shape.log_range = task.shape.log_range * bend;
  shape.hill = task.shape.hill * bend;
}

void set_events(const TaskTraits& task, const Scores& scores, CurveShape& shape) {
  const double gain = shape.asymptote - shape.start;
  if (scores.u(Latent::kBreak) > 1.0 - task.broken) {
    shape.break_at = task.horizon * (0.05 + 0.8 * scores.u(Latent::kDelay));
    shape.break_speed = task.break_speed;
  }
  if (task.step_at < kNever && gain > 0) {
    shape.step_at = task.step_at;
    shape.step = task.step_share * gain;
    shape.asymptote -= shape.step;
  }
  const double overfit = depth_in(scores.u(Latent::kOverfit), 1.0 - task.overfit, task.overfit);
  if (overfit > 0 && gain > 0) {
    shape.decline_at = task.overfit_after > 0
                           ? shape.delay + task.overfit_after * shape.half
                           : std::max(task.overfit_at * task.horizon, 1.5 * shape.half);
    shape.decline = task.overfit_loss * overfit * gain;
    shape.decline_bend = task.overfit_bend;
    if (shape.decline_at >= task.horizon) shape.decline_at = kNever;
  }
}

void set_noise(const TaskTraits& task, const Scores& scores, CurveShape& shape) {
  shape.noise = task.noise;
  double size = std::exp(task.noise_spread * scores.z(Latent::kNoise));
  if (scores.u(Latent::kNoise) > 1.0 - task.rough) size *= 10.0;
  shape.noise.white *= size;
  shape.noise.correlated *= size;
  if (task.flat_creep == 0 && shape.asymptote == shape.start) {
    shape.noise.white = shape.noise.correlated = 0;  // exactly at the start
  }
}

void set_instability(const TaskTraits& task, const Scores& scores, CurveShape& shape) {
  const double u = scores.u(Latent::kIntensity);
  const double edge = 1.0 - task.diverged;
  const double shaken = depth_in(u, edge - task.unstable, task.unstable);
  if (shaken > 0) {
    shape.shock = task.shock * std::min(1.0, 2.0 * shaken) * shape.start;
    shape.recovery = task.recovery * std::exp(-scores.z(Latent::kSpeed));
    const double louder = 1.0 + shaken * (task.unstable_noise - 1.0);
    shape.noise.white *= louder;
    shape.noise.correlated *= louder;
  }
  if (u <= edge) return;
  const double pace = task.diverge_pace * depth_in(u, edge, task.diverged);
  shape.dies_at = 1.0 + task.diverge_latest * task.horizon * std::exp(-pace);
  shape.dead_level = task.dead_level;
}

}  // namespace

TaskTraits draw_traits(size_t horizon, Random& random) {
  TaskTraits task;
  task.horizon = static_cast<double>(horizon);
  draw_levels(task, random);
  draw_quality(task, random);
  draw_pace(task, random);
  draw_instability(task, random);
  draw_events(task, random);
  draw_noise(task, random);
  return task;
}

void couple_scores(const TaskTraits& task, LatentScores& scores) {
  const double own = std::sqrt(1.0 - task.learn_coupling * task.learn_coupling);
  for (size_t n = 0; n < scores.size(); ++n) {
    const double intensity = scores.at(Latent::kIntensity, n);
    const double off = (normal_cdf(intensity) - task.hump_at) / 0.3;
    scores.score(Latent::kQuality)[n] -= task.hump * off * off;
    scores.score(Latent::kLearn)[n] =
        task.learn_coupling * intensity + own * scores.at(Latent::kLearn, n);
  }
  standardize(scores.score(Latent::kQuality));
  standardize(scores.score(Latent::kLearn));
}

CurveShape shape_of(const TaskTraits& task, const LatentScores& scores, size_t n) {
  const Scores own{scores, n};
  CurveShape shape;
  set_levels(task, own, shape);
  set_pace(task, own, shape);
  set_noise(task, own, shape);
  set_events(task, own, shape);
  set_instability(task, own, shape);
  return shape;
}

}  // namespace cmbo::curves
