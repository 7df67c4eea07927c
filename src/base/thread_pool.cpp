// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.h"

#include <algorithm>

#include "base/check.h"

namespace cmbo {

ThreadPool::ThreadPool(size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  workers_.reserve(threads - 1);
  for (size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(size_t count, const std::function<void(size_t)>& body) {
  if (count == 0) return;
  std::unique_lock lock(mutex_);
  CHECK(body_ == nullptr, "parallel_for() does not nest");
  body_ = &body;
  next_ = 0;
  count_ = unfinished_ = count;
  wake_.notify_all();
  drain(lock);
  done_.wait(lock, [this] { return unfinished_ == 0; });
  body_ = nullptr;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || (body_ != nullptr && next_ < count_); });
    if (stopping_) return;
    drain(lock);
  }
}

// Takes indices of the current loop until none is left. Holds the lock except while in the body.
void ThreadPool::drain(std::unique_lock<std::mutex>& lock) {
  while (body_ != nullptr && next_ < count_) {
    const size_t index = next_++;
    const auto& body = *body_;
    lock.unlock();
    body(index);
    lock.lock();
    if (--unfinished_ == 0) done_.notify_all();
  }
}

}  // namespace cmbo
