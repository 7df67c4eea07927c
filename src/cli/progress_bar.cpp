// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/text.h"

namespace cmbo::cli {

namespace {

constexpr double kSecondsBeforeShown = 0.5;
constexpr double kSecondsBetweenRedraws = 0.1;
constexpr size_t kBarWidth = 30;

// Full blocks and one of eight partial ones.
std::string bar(double share) {
  static constexpr const char* kPartial[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(share * 8 * kBarWidth);
  std::string text;
  for (size_t i = 0; i < eighths / 8; ++i) text += "█";
  if (eighths % 8 > 0) text += kPartial[eighths % 8];
  while (display_width(text) < kBarWidth) text += " ";
  return text;
}

}  // namespace

std::string progress_line(const std::string& title, double share, double seconds_left,
                          size_t width) {
  share = std::clamp(share, 0.0, 1.0);
  const std::string left =
      seconds_left >= 0 ? duration_text(seconds_left) + " left" : std::string();
  const std::string figures = fmt::format(" {:3.0f} %  {}", 100 * share, left);
  const size_t fixed = display_width(figures) + kBarWidth + 3;
  if (width <= fixed + 4) return shorten(fmt::format("{}{}", title, figures), width);
  return fmt::format("{} ▕{}▏{}", shorten(title, width - fixed), bar(share), figures);
}

ProgressBar::ProgressBar(Terminal& terminal, const Clock& clock, std::string title)
    : terminal_(terminal),
      clock_(clock),
      title_(std::move(title)),
      started_(clock.monotonic_seconds()),
      next_redraw_(started_ + kSecondsBeforeShown) {}

ProgressBar::~ProgressBar() {
  terminal_.clear_status();
}

void ProgressBar::update(uint64_t done, uint64_t total, const std::string& note) {
  const double now = clock_.monotonic_seconds();
  if (total == 0) return;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  if (first_share_ < 0) first_share_ = share;
  if (now < next_redraw_) return;
  next_redraw_ = now + kSecondsBetweenRedraws;
  // What an interrupted run has done before took none of the time that was measured here.
  const double gained = share - first_share_;
  const double left = gained > 0 ? (now - started_) * (1 - share) / gained : -1.0;
  terminal_.show_status(progress_line(note.empty() ? title_ : title_ + ": " + note, share, left,
                                      terminal_.err_width() - 1));
}

}  // namespace cmbo::cli
