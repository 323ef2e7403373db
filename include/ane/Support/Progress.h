//===- Progress.h - How far a long run is -----------------------*- C++ -*-===//

#ifndef ANE_SUPPORT_PROGRESS_H
#define ANE_SUPPORT_PROGRESS_H

#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ane {

/// Writes `task 12 of 300, 4 s` to a terminal while something takes longer than
/// `patience`, and wipes it at the end. It has a thread of its own, so that
/// what it tells about need not know of it.
class Progress {
public:
  /// `where` says how far it is. It is called from the other thread.
  Progress(llvm::raw_ostream &terminal, std::function<std::string()> where,
           std::chrono::milliseconds patience = std::chrono::seconds(2));
  ~Progress() { stop(); }

  /// Ends it, as before something else is written to the terminal.
  void stop();

private:
  void show();

  llvm::raw_ostream &terminal;
  std::function<std::string()> where;
  std::chrono::milliseconds patience;
  std::chrono::steady_clock::time_point start;
  std::mutex mutex;
  std::condition_variable ends;
  bool hasEnded = false;
  std::thread thread;
};

} // namespace ane

#endif // ANE_SUPPORT_PROGRESS_H
