// SPDX-License-Identifier: Apache-2.0
#include "curves/reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "curves/formats.h"

namespace cmbo::curves {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> kFormatNames = {{
    {"auto", Format::kAuto},
    {"jsonl", Format::kJsonLines},
    {"lcbench", Format::kLcbench},
    {"taskset", Format::kTaskset},
    {"pd1", Format::kPd1},
    {"csv", Format::kCsv},
}};

// Passes bytes on and tells how far it is, now and then.
class ObservedSource : public ByteSource {
 public:
  ObservedSource(std::unique_ptr<ByteSource> inner, std::function<void(uint64_t)> on_position)
      : inner_(std::move(inner)), on_position_(std::move(on_position)) {}

  Result<size_t> read(std::span<char> buffer) override {
    auto got = inner_->read(buffer);
    on_position_(inner_->position());
    return got;
  }
  uint64_t position() const override { return inner_->position(); }
  uint64_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::function<void(uint64_t)> on_position_;
};

// By the name alone; kAuto if it says nothing, or is ambiguous (.json).
Format format_by_name(const Path& path) {
  std::string name = path.filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.starts_with("pd1_") && name.ends_with(".jsonl")) return Format::kPd1;
  if (name.ends_with(".jsonl")) return Format::kJsonLines;
  if (name.ends_with(".csv")) return Format::kCsv;
  return Format::kAuto;
}

bool may_hold_curves(const Path& path) {
  return format_by_name(path) != Format::kAuto || path.extension() == ".json";
}

// The two JSON formats differ in their first character.
Result<Format> format_by_content(FileSystem& files, const Path& path) {
  CMBO_TRY(auto source, files.open(path));
  std::array<char, 4096> buffer;
  CMBO_TRY(const size_t got, source->read(buffer));
  const std::string_view start(buffer.data(), got);
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first < got && start[first] == '{') return Format::kLcbench;
  if (first < got && start[first] == '[') return Format::kTaskset;
  return Error(
      fmt::format("{}: not recognized as learning curves; name the format: jsonl, "
                  "lcbench, taskset, pd1 or csv",
                  path.string()));
}

// Reads the files of one call one after the other.
class SetReader {
 public:
  SetReader(FileSystem& files, const ReadOptions& options) : files_(files), options_(options) {}

  Result<CurveSet> read(const std::vector<Path>& paths) {
    for (const Path& path : paths) {
      CMBO_TRY(const auto source, files_.open(path));
      total_ += source->size();
    }
    for (const Path& path : paths) CMBO_RETURN_IF_ERROR(read_file(path));
    if (has_pd1_) CMBO_RETURN_IF_ERROR(pd1_.finish(set_));
    if (options_.progress) options_.progress(total_, total_);
    return std::move(set_);
  }

 private:
  Status read_file(const Path& path) {
    Format format = options_.format == Format::kAuto ? format_by_name(path) : options_.format;
    if (format == Format::kAuto) {
      CMBO_TRY(format, format_by_content(files_, path));
    }
    CMBO_TRY(auto source, files_.open(path));
    const uint64_t size = source->size();
    auto unpacked = gunzip(observed(std::move(source)));
    if (!unpacked.ok()) return unpacked.error().within(path.string());
    CMBO_RETURN_IF_ERROR(read_as(format, **unpacked, path.string()));
    finished_ += size;
    return {};
  }

  Status read_as(Format format, ByteSource& source, const std::string& name) {
    switch (format) {
      case Format::kAuto:
        break;
      case Format::kJsonLines:
        return read_jsonl(source, name, set_);
      case Format::kLcbench:
        return read_lcbench(source, name, set_);
      case Format::kTaskset:
        return read_taskset(source, name, set_);
      case Format::kPd1:
        has_pd1_ = true;
        return pd1_.read(source, name);
      case Format::kCsv:
        return read_csv(source, name, options_, set_);
    }
    CHECK(false, "the format is known by now");
  }

  std::unique_ptr<ByteSource> observed(std::unique_ptr<ByteSource> source) {
    if (!options_.progress) return source;
    return std::make_unique<ObservedSource>(std::move(source), [this](uint64_t position) {
      options_.progress(finished_ + position, total_);
    });
  }

  FileSystem& files_;
  const ReadOptions& options_;
  CurveSet set_;
  Pd1Reader pd1_;
  bool has_pd1_ = false;
  uint64_t finished_ = 0;
  uint64_t total_ = 0;
};

}  // namespace

std::string_view format_name(Format format) {
  return std::find_if(kFormatNames.begin(), kFormatNames.end(),
                      [&](const auto& entry) { return entry.second == format; })
      ->first;
}

std::optional<Format> format_from_name(std::string_view name) {
  for (const auto& [known, format] : kFormatNames) {
    if (known == name) return format;
  }
  return std::nullopt;
}

Result<CurveSet> read_curves(FileSystem& files, const Path& path, const ReadOptions& options) {
  if (!files.is_directory(path)) return SetReader(files, options).read({path});
  CMBO_TRY(std::vector<Path> paths, files.list_files(path));
  std::erase_if(paths, [](const Path& file) { return !may_hold_curves(file); });
  if (paths.empty()) {
    return Error(
        fmt::format("{}: no curve files in this directory (.jsonl, .json, .csv)", path.string()));
  }
  return SetReader(files, options).read(paths);
}

}  // namespace cmbo::curves
