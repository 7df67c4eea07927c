// SPDX-License-Identifier: Apache-2.0
#include "study/records.h"

#include <fmt/format.h>

#include "study/names.h"
#include "study/storage.h"

namespace cmbo::study {

namespace {

constexpr Names<Wish, 3> kWishes = {
    {{{Wish::kRun, "run"}, {Wish::kPause, "pause"}, {Wish::kStop, "stop"}}}};

constexpr Names<Outcome, 6> kOutcomes = {{{
    {Outcome::kReached, "reached"},
    {Outcome::kDiverged, "diverged"},
    {Outcome::kPreempted, "preempted"},
    {Outcome::kFailed, "failed"},
    {Outcome::kTimedOut, "timed out"},
    {Outcome::kLost, "lost"},
}}};

}  // namespace

std::string_view wish_name(Wish wish) {
  return kWishes.name(wish);
}
std::optional<Wish> wish_from_name(std::string_view name) {
  return kWishes.value(name);
}
std::string_view outcome_name(Outcome outcome) {
  return kOutcomes.name(outcome);
}
std::optional<Outcome> outcome_from_name(std::string_view name) {
  return kOutcomes.value(name);
}

Error gap_error(const Observation& observation, uint32_t last) {
  return Error(
      fmt::format("trial {}: step {} was reported after step {}; report every step once, in order",
                  observation.trial, observation.step, last));
}

}  // namespace cmbo::study
