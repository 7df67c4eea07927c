// SPDX-License-Identifier: Apache-2.0
#include "chart/notes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace cmbo::chart {
namespace {

constexpr Font kNoteFont = {12.0};
constexpr double kDistance = 8.0;  // px from the point
constexpr double kLine = 15.0;

// Baselines below the point, the best first.
constexpr double kOffsets[] = {-kDistance, kDistance + 10.0, -kDistance - kLine,
                               kDistance + 10.0 + kLine};

struct Placed {
  std::string text;
  bool to_the_left;  // ends at the point instead of starting there
  double x;
  double baseline;
  double width;

  double left() const { return to_the_left ? x - width : x; }
};

bool overlap(const Placed& a, const Placed& b) {
  return std::abs(a.baseline - b.baseline) < kLine && a.left() < b.left() + b.width &&
         b.left() < a.left() + a.width;
}

bool is_free(const Placed& note, const std::vector<Placed>& others, Size plot) {
  if (note.baseline < kNoteFont.size || note.baseline > plot.height - 3.0) return false;
  return std::none_of(others.begin(), others.end(),
                      [&](const Placed& other) { return overlap(note, other); });
}

Placed place(std::string_view text, Pixel at, const std::vector<Placed>& others, Size plot) {
  const double room_right = plot.width - at.x - kDistance, room_left = at.x - kDistance;
  const bool fits_right = text_width(clean_text(text), kNoteFont) <= room_right;
  const bool to_the_left = !fits_right && room_left > room_right;
  Placed note;
  note.to_the_left = to_the_left;
  note.text = shorten(text, kNoteFont, to_the_left ? room_left : room_right);
  note.width = text_width(note.text, kNoteFont);
  note.x = at.x + (to_the_left ? -kDistance : kDistance);
  for (const double offset : kOffsets) {
    note.baseline = at.y + offset;
    if (is_free(note, others, plot)) return note;
  }
  note.baseline = std::clamp(at.y - kDistance, kNoteFont.size, plot.height);
  return note;
}

}  // namespace

void draw_notes(SvgWriter& svg, std::span<const Note> notes, const Plane& plane, Size plot) {
  std::vector<Placed> placed;
  for (const Note& note : notes) {
    if (!plane.contains(note.at)) continue;
    placed.push_back(place(note.text, plane(note.at), placed, plot));
    const Placed& spot = placed.back();
    const Anchor anchor = spot.to_the_left ? Anchor::kEnd : Anchor::kStart;
    svg.text({spot.x, spot.baseline}, spot.text, {kNoteFont, "#333333", anchor, true});
  }
}

}  // namespace cmbo::chart
