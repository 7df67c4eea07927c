// SPDX-License-Identifier: Apache-2.0
//
// The tables of a study, and the way to them from every earlier version. The version is the file's
// user_version; 0 is an empty file.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "storage/sqlite.h"

namespace cmbo::storage {

// SQL that leads from version i to i + 1 stands at place i.
std::span<const std::string> migrations();

// Brings the database to the last version, each step in one transaction. An error if it is newer
// than we know, or the database of another program.
Status migrate(Database& database, std::span<const std::string> steps);

}  // namespace cmbo::storage
