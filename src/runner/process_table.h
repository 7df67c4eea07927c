// SPDX-License-Identifier: Apache-2.0
//
// The processes of this machine, as /proc tells them.
#pragma once

#include <cstddef>
#include <sys/types.h>

#include "base/file_system.h"
#include "base/result.h"

namespace cmbo::runner {

// Whether the group has a living process; zombies do not count.
bool group_is_alive(pid_t group);

// Ends the trainings of an earlier run of ours that died without ending them: every process of this
// user whose environment says that it reports to a file below `trials`. They get SIGTERM, and
// SIGKILL if they are still there after `grace_seconds`. Returns how many there were. Recognized by
// their environment, they cannot be mistaken for others that got their numbers since. Call it
// before the first slice of a study, and only while no other runner works on it.
Result<size_t> end_leftovers(const Path& trials, double grace_seconds);

}  // namespace cmbo::runner
