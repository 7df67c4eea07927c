// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <optional>
#include <vector>
#include <zlib.h>

#include "curves/formats.h"

namespace cmbo::curves {

namespace {

constexpr size_t kGzipChunkBytes = 1 << 16;
constexpr unsigned char kMagic[] = {0x1f, 0x8b};
constexpr int kGzipWindow = 16 + MAX_WBITS;  // 16 = with gzip's header and checksum

// A source that is not gzip: what was read to find that out, then the rest.
class PassThrough : public ByteSource {
 public:
  PassThrough(std::unique_ptr<ByteSource> inner, std::vector<char> head)
      : inner_(std::move(inner)), head_(std::move(head)) {}

  Result<size_t> read(std::span<char> buffer) override {
    if (served_ == head_.size()) return inner_->read(buffer);
    const size_t count = std::min(buffer.size(), head_.size() - served_);
    std::copy_n(head_.data() + served_, count, buffer.data());
    served_ += count;
    return count;
  }
  uint64_t position() const override { return inner_->position(); }
  uint64_t size() const override { return inner_->size(); }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::vector<char> head_;
  size_t served_ = 0;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> inner, std::vector<char> head)
      : inner_(std::move(inner)), input_(std::move(head)) {
    const int code = ::inflateInit2(&stream_, kGzipWindow);
    CHECK(code == Z_OK, "zlib did not start");
    offer(input_.size());
    input_.resize(kGzipChunkBytes);
    stream_.next_in = next_byte();
  }
  ~GzipSource() override { ::inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<size_t> read(std::span<char> buffer) override {
    if (buffer.empty()) return size_t{0};
    const size_t wanted = std::min<size_t>(buffer.size(), 1u << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out == wanted) {
      CMBO_TRY(const bool more, has_input());
      if (!more) return size_t{0};
      CMBO_RETURN_IF_ERROR(inflate_some());
    }
    return wanted - stream_.avail_out;
  }
  uint64_t position() const override { return inner_->position(); }
  uint64_t size() const override { return inner_->size(); }

 private:
  Bytef* next_byte() { return reinterpret_cast<Bytef*>(input_.data()); }
  void offer(size_t count) {
    stream_.next_in = next_byte();
    stream_.avail_in = static_cast<uInt>(count);
  }

  // False at a proper end: after a member.
  Result<bool> has_input() {
    if (stream_.avail_in > 0) return true;
    CMBO_TRY(const size_t got, inner_->read(input_));
    offer(got);
    if (got > 0) return true;
    if (!in_member_) return false;
    return Error(fmt::format("the gzip data ends too early, after {} bytes; fetch the file again",
                             position()));
  }

  Status inflate_some() {
    in_member_ = true;
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      in_member_ = false;
      ::inflateReset(&stream_);
      return {};
    }
    if (code == Z_OK || code == Z_BUF_ERROR) return {};
    return Error(fmt::format("the gzip data is damaged near byte {} ({}); fetch the file again",
                             position(), stream_.msg != nullptr ? stream_.msg : "no details"));
  }

  std::unique_ptr<ByteSource> inner_;
  std::vector<char> input_;
  z_stream stream_ = {};
  bool in_member_ = true;  // more must come; an empty file is never seen here
};

}  // namespace

Result<std::unique_ptr<ByteSource>> gunzip(std::unique_ptr<ByteSource> inner) {
  std::vector<char> head(std::size(kMagic));
  size_t filled = 0;
  while (filled < head.size()) {
    CMBO_TRY(const size_t got, inner->read(std::span(head).subspan(filled)));
    if (got == 0) break;
    filled += got;
  }
  head.resize(filled);
  const bool is_gzip = filled == std::size(kMagic) &&
                       static_cast<unsigned char>(head[0]) == kMagic[0] &&
                       static_cast<unsigned char>(head[1]) == kMagic[1];
  std::unique_ptr<ByteSource> source;
  if (is_gzip) {
    source = std::make_unique<GzipSource>(std::move(inner), std::move(head));
  } else {
    source = std::make_unique<PassThrough>(std::move(inner), std::move(head));
  }
  return source;
}

}  // namespace cmbo::curves
