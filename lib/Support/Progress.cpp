//===- Progress.cpp - How far a long run is -------------------------------===//

#include "ane/Support/Progress.h"

using namespace ane;

Progress::Progress(llvm::raw_ostream &terminal,
                   std::function<std::string()> where,
                   std::chrono::milliseconds patience)
    : terminal(terminal), where(std::move(where)), patience(patience),
      start(std::chrono::steady_clock::now()), thread([this] { show(); }) {}

void Progress::stop() {
  {
    std::lock_guard lock(mutex);
    hasEnded = true;
  }
  ends.notify_all();
  if (thread.joinable())
    thread.join();
}

void Progress::show() {
  constexpr std::chrono::milliseconds step(100);
  constexpr llvm::StringLiteral wipe("\r\033[K");
  bool isShown = false;
  std::unique_lock lock(mutex);
  while (!ends.wait_for(lock, isShown ? step : patience,
                        [this] { return hasEnded; })) {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - start);
    terminal << wipe << where() << ", " << seconds.count() << " s";
    terminal.flush();
    isShown = true;
  }
  if (!isShown)
    return;
  terminal << wipe;
  terminal.flush();
}
