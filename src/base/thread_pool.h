// SPDX-License-Identifier: Apache-2.0
//
// A fixed set of threads that share loops. Work is cut by index, so a result that depends only on
// the index does not depend on the number of threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cmbo {

// One loop at a time: parallel_for() must not be called from two threads at once, nor from inside
// its own body.
class ThreadPool {
 public:
  // `threads` in all, the caller of parallel_for() included; 0 = one for each core.
  explicit ThreadPool(size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t size() const { return workers_.size() + 1; }

  // Calls body(i) once for every i in 0..count-1, in no particular order, and returns when all are
  // done. The body must not throw.
  void parallel_for(size_t count, const std::function<void(size_t)>& body);

 private:
  void work();
  void drain(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(size_t)>* body_ = nullptr;  // null = no loop under way
  size_t next_ = 0;
  size_t count_ = 0;
  size_t unfinished_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace cmbo
