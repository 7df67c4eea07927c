// SPDX-License-Identifier: Apache-2.0
#include "digits/checkpoint.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "base/random.h"

namespace cmbo::digits {

namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr const char* kFormat = "cmbo-digits-1";
constexpr uint64_t kMaxBytes = uint64_t{1} << 32;
constexpr const char* kRemedy = "remove it and train from step 0";

// Eight bytes at a time, because a checkpoint is written after every epoch.
uint64_t hash_of(std::string_view bytes) {
  uint64_t hash = bytes.size();
  for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
    hash = mix_bits(hash ^ word) + hash;
  }
  return hash;
}

template <typename T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
std::vector<T> take(std::string_view& bytes, size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return values;
}

Error damaged() {
  return Error(fmt::format("damaged; {}", kRemedy));
}

void append_number(std::string& bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// The header and, in `bytes`, what follows it; after this everything is as it was written.
Result<Json> take_header(std::string_view& bytes) {
  constexpr size_t kNumbers = 2 * sizeof(uint64_t);
  if (bytes.size() < kNumbers) return damaged();
  const uint64_t hash = take<uint64_t>(bytes, 1)[0];
  if (hash != hash_of(bytes)) return damaged();
  const uint64_t length = take<uint64_t>(bytes, 1)[0];
  if (length > bytes.size()) return damaged();
  auto header = parse_json(bytes.substr(0, length));
  bytes.remove_prefix(length);
  if (!header.ok() || !header->is_object() || !header->contains("format") ||
      (*header)["format"] != kFormat) {
    return Error(fmt::format("not a checkpoint of this program; {}", kRemedy));
  }
  return header;
}

}  // namespace

std::string checkpoint_to_bytes(const State& state, const Json& run) {
  const Json header = {{"format", kFormat},
                       {"run", run},
                       {"epochs", state.history.size()},
                       {"weights", state.weights.size()}};
  const std::string text = header.dump();
  std::string body;
  append_number(body, text.size());
  body += text;
  append(body, state.weights);
  append(body, state.momentum);
  append(body, state.history);
  std::string bytes;
  append_number(bytes, hash_of(body));
  return bytes + body;
}

Result<State> checkpoint_from_bytes(std::string_view bytes, const Json& run) {
  CMBO_TRY(const Json header, take_header(bytes));
  if (header["run"] != run) {
    return Error(fmt::format("of another training, {}; {}", header["run"].dump(), kRemedy));
  }
  const auto epochs = header["epochs"].get<size_t>(), weights = header["weights"].get<size_t>();
  if (bytes.size() != 2 * weights * sizeof(float) + epochs * sizeof(Metrics)) return damaged();
  State state;
  state.weights = take<float>(bytes, weights);
  state.momentum = take<float>(bytes, weights);
  state.history = take<Metrics>(bytes, epochs);
  return state;
}

Path checkpoint_path(const Path& directory) {
  return directory / "digits.ckpt";
}

Status save_checkpoint(FileSystem& files, const Path& directory, const State& state,
                       const Json& run) {
  return files.write_atomically(checkpoint_path(directory), checkpoint_to_bytes(state, run));
}

Result<State> load_checkpoint(FileSystem& files, const Path& directory, const Json& run) {
  const Path path = checkpoint_path(directory);
  if (!files.exists(path)) {
    return Error(fmt::format("{}: no checkpoint to go on from; train from step 0", path.string()));
  }
  CMBO_TRY(const std::string bytes, read_file(files, path, kMaxBytes));
  auto state = checkpoint_from_bytes(bytes, run);
  if (!state.ok()) return state.error().within(path.string());
  return state;
}

}  // namespace cmbo::digits
