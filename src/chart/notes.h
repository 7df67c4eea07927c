// SPDX-License-Identifier: Apache-2.0
//
// Places and draws the notes of a panel.
#pragma once

#include <span>

#include "chart/plane.h"

namespace cmbo::chart {

// Each note stands beside its point, inside of the plot, on the first spot that is clear of the
// notes before it.
void draw_notes(SvgWriter& svg, std::span<const Note> notes, const Plane& plane, Size plot);

}  // namespace cmbo::chart
