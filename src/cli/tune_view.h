// SPDX-License-Identifier: Apache-2.0
//
// What `tune` shows while it runs: one calm screen on a terminal. Pure functions of the facts.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "study/facts.h"
#include "study/study_file.h"

namespace cmbo::cli {

struct TuneView {
  const study::StudyFile& file;
  const study::Facts& facts;
  const Json& decision;  // the last one, as stored; null = none yet
  std::string title;     // the study file's name
  std::string status;    // "running", "freezing ..."
  std::string note;      // the last warning; empty = none
};

struct ScreenSize {
  size_t width = 80;
  size_t height = 24;
  bool colours = false;
};

// Lines that fit the screen, each with its end. What does not fit in height is left out from the
// bottom, in width it is shortened.
std::string tune_screen(const TuneView& view, const ScreenSize& size);

// A cost in the unit of the utility: "112 epochs", "1:02:03", "4.20 EUR".
std::string cost_text(const study::UtilitySpec& utility, double cost);

// What is expected until the study stops, by the `outlook` of a decision:
// "about 35 more epochs (4:00) for +0.002 val_acc". Empty without an outlook.
std::string outlook_text(const study::StudyFile& file, const Json& decision);

// "lr 0.01  layers 3".
std::string parameters_text(const Json& parameters);

}  // namespace cmbo::cli
