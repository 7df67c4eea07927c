// SPDX-License-Identifier: Apache-2.0
//
// For tests of the readers: sources that deliver bytes in small portions or fail, and short ways to
// the outcome.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "curves/task.h"

namespace cmbo::curves {

// Delivers at most `portion` bytes at a time; after `fail_after` bytes the disk is gone.
class PortionedSource : public ByteSource {
 public:
  explicit PortionedSource(std::string text, size_t portion = 1, size_t fail_after = SIZE_MAX)
      : text_(std::move(text)), portion_(portion), fail_after_(fail_after) {}

  Result<size_t> read(std::span<char> buffer) override {
    if (position_ >= fail_after_) return Error("the disk is gone; look for it");
    const size_t count = std::min({buffer.size(), portion_, text_.size() - position_});
    std::copy_n(text_.data() + position_, count, buffer.data());
    position_ += count;
    return count;
  }
  uint64_t position() const override { return position_; }
  uint64_t size() const override { return text_.size(); }

 private:
  std::string text_;
  size_t portion_;
  size_t fail_after_;
  size_t position_ = 0;
};

// What `read(source, set)` made of `text`, in words that show every difference: the tasks with
// their headers, configurations and values, or the error.
template <typename Read>
std::string outcome_of(ByteSource& source, Read read) {
  CurveSet set;
  if (const Status status = read(source, set); !status.ok()) return status.error().message();
  std::string text;
  for (const Task& task : set.tasks) {
    text += task.name() + " " + task.header().metric + " " +
            std::string(goal_name(task.header().goal)) + " " +
            std::to_string(task.header().first_epoch) + ".." +
            std::to_string(task.header().last_epoch) + " " + task.space().to_json().dump() + "\n";
    for (size_t n = 0; n < task.size(); ++n) {
      text += task.space().configuration_to_json(task.configuration(n)).dump();
      for (const float value : task.curve(n)) text += " " + std::to_string(value);
      text += "\n";
    }
  }
  return text;
}

}  // namespace cmbo::curves
