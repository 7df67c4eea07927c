// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "curves/format_testing.h"
#include "curves/formats.h"

namespace cmbo::curves {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string compress(const std::string& text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Everything in `bytes`, or the error.
std::string unpacked(const std::string& bytes, size_t portion = 1 << 20,
                     size_t fail_after = SIZE_MAX) {
  auto source = gunzip(std::make_unique<PortionedSource>(bytes, portion, fail_after));
  if (!source.ok()) return source.error().message();
  const auto text = read_all(**source, 100 << 20);
  return text.ok() ? *text : text.error().message();
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919 % 10'007) + "\n";
  return text;
}

TEST(GzipTest, Unpacks) {
  const std::string text = long_text();
  EXPECT_EQ(unpacked(compress(text)), text);
  EXPECT_EQ(unpacked(compress(text), 1), text);
  EXPECT_EQ(unpacked(compress("")), "");
  EXPECT_EQ(unpacked(compress("one ") + compress("") + compress("two"), 3), "one two");
}

TEST(GzipTest, PassesOtherSourcesThrough) {
  for (const size_t portion : {1, 2, 100}) {
    EXPECT_EQ(unpacked("hello", portion), "hello");
    EXPECT_EQ(unpacked("h", portion), "h");
    EXPECT_EQ(unpacked("", portion), "");
    EXPECT_EQ(unpacked("\x1f", portion), "\x1f");
  }
}

TEST(GzipTest, NoticesTruncationAtEveryByte) {
  const std::string bytes = compress("some text that is not very long");
  for (size_t length = 2; length < bytes.size(); ++length) {
    EXPECT_THAT(unpacked(bytes.substr(0, length)),
                AllOf(HasSubstr("ends too early"), HasSubstr("fetch the file again")));
  }
}

TEST(GzipTest, NoticesDamage) {
  std::string bytes = compress(long_text());
  bytes[bytes.size() / 2] ^= 0x10;
  EXPECT_THAT(unpacked(bytes),
              AllOf(HasSubstr("is damaged near byte"), HasSubstr("fetch the file again")));
  EXPECT_THAT(unpacked(compress("x") + "garbage"), HasSubstr("is damaged"));
}

TEST(GzipTest, ReportsAFailingDisk) {
  EXPECT_THAT(unpacked(compress(long_text()), 64, 0), HasSubstr("the disk is gone"));
  EXPECT_THAT(unpacked(compress(long_text()), 64, 128), HasSubstr("the disk is gone"));
}

TEST(GzipTest, CountsCompressedBytes) {
  const std::string bytes = compress(long_text());
  const auto source = gunzip(std::make_unique<PortionedSource>(bytes, 1000));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->size(), bytes.size());
  std::vector<char> buffer(100);
  ASSERT_TRUE((*source)->read(buffer).ok());
  EXPECT_LE((*source)->position(), 2000u);
  ASSERT_TRUE(read_all(**source, 100 << 20).ok());
  EXPECT_EQ((*source)->position(), bytes.size());
}

}  // namespace
}  // namespace cmbo::curves
