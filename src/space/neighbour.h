// SPDX-License-Identifier: Apache-2.0
//
// A configuration near another one, for searches that close in.
#pragma once

#include "base/random.h"
#include "space/space.h"

namespace cmbo::space {

// Numbers and ordered choices take a Gaussian step or, as often, none. Its standard deviation is
// `width` on the parameter's own scale (0..1 from end to end), and at least half of what one of
// few values takes; steps beyond an end turn back. Unordered choices are drawn anew now and then.
// A parameter that becomes active gets any value. May be the same configuration.
Configuration neighbour(const Space& space, const Configuration& from, double width,
                        Random& random);

}  // namespace cmbo::space
