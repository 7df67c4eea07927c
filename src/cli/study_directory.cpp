// SPDX-License-Identifier: Apache-2.0
#include "cli/study_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cmbo::cli {

namespace {

constexpr const char* kDirectoryExtension = ".cmbo";

StudyPaths paths_of_file(const Path& file) {
  Path directory = file;
  return {file, directory.replace_extension(kDirectoryExtension)};
}

// digits.cmbo belongs to digits.yaml, or to digits.yml if there is one.
StudyPaths paths_of_own_directory(const Path& directory, FileSystem& files) {
  Path file = directory;
  file.replace_extension(".yml");
  if (!files.exists(file)) file.replace_extension(".yaml");
  return {file, directory};
}

// The process that holds a lock (flock) on the file with this number, as the system lists them:
// "1: FLOCK  ADVISORY  WRITE 4711 08:01:2624 0 EOF".
std::optional<int> holder_of_lock(ino_t number) {
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string place, kind, way, access, file;
    int process = 0;
    if (!(words >> place >> kind >> way >> access >> process >> file)) continue;
    if (kind == "FLOCK" && file.ends_with(fmt::format(":{}", number))) return process;
  }
  return std::nullopt;
}

}  // namespace

Path StudyPaths::working_directory() const {
  const Path parent = file.parent_path();
  return parent.empty() ? Path(".") : parent;
}

StudyPaths study_paths(const std::string& argument, FileSystem& files) {
  Path path(argument.empty() ? kStudyFile : argument);
  if (!path.has_filename()) path = path.parent_path();  // a slash at the end
  if (path.extension() == kDirectoryExtension) return paths_of_own_directory(path, files);
  if (files.is_directory(path)) return paths_of_file(path / kStudyFile);
  return paths_of_file(path);
}

Result<Definition> read_definition(const StudyPaths& paths, FileSystem& files) {
  if (!files.exists(paths.file)) {
    return Error(fmt::format("{}: there is no such file; 'cmbo init' writes one to start from",
                             paths.file.string()));
  }
  CMBO_TRY(std::string text, read_file(files, paths.file, kMaxStudyFileBytes));
  auto file = study::study_file_from_yaml(text);
  if (!file.ok()) return file.error().within(paths.file.string());
  return Definition{std::move(file).value(), std::move(text)};
}

Result<Visit> visit_study(const std::string& argument, Context& context) {
  const StudyPaths paths = study_paths(argument, context.files);
  if (!context.files.exists(paths.database())) {
    return Error(fmt::format("{}: this study was not begun; 'cmbo tune {}' does",
                             paths.directory.string(), paths.file.string()));
  }
  storage::SqliteOptions options;
  options.access = storage::Access::kVisit;
  CMBO_TRY(auto storage, storage::SqliteStorage::open(paths.database(), options));
  CMBO_TRY(study::Facts facts, study::Facts::load(*storage));
  auto file = study::study_file_from_yaml(facts.study().definition);
  if (!file.ok()) return file.error().within(paths.database().string());
  return Visit{paths, std::move(file).value(), std::move(storage), std::move(facts)};
}

std::optional<Driver> driver_of(const StudyPaths& paths) {
  const std::string name = paths.database().string() + "-driver";  // sqlite_storage.h
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::optional<Driver> driver;
  struct stat status = {};
  if (::flock(file, LOCK_SH | LOCK_NB) != 0 && ::fstat(file, &status) == 0) {
    driver = Driver{holder_of_lock(status.st_ino)};
  }
  ::close(file);
  return driver;
}

std::string driver_text(const Driver& driver) {
  return driver.process ? fmt::format("process {}", *driver.process) : "another process";
}

}  // namespace cmbo::cli
