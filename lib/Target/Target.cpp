//===- Target.cpp - What a chip can do ------------------------------------===//

#include "ane/Target/Target.h"
#include "ane/Target/H13.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace ane;

llvm::ArrayRef<TargetDescription> ane::allTargets() {
  return llvm::ArrayRef(h13);
}

const TargetDescription *ane::findTarget(llvm::StringRef name) {
  for (const TargetDescription &target : allTargets())
    if (target.name == name)
      return &target;
  return nullptr;
}

std::string TargetDescription::rule(llvm::StringRef name) const {
  return (this->name + "-" + name).str();
}

std::string ane::unknownTarget(llvm::StringRef name) {
  auto names =
      llvm::map_range(allTargets(), [](const TargetDescription &target) {
        return target.name;
      });
  return ("target '" + name + "' is not known; known are " +
          llvm::join(names, ", "))
      .str();
}

namespace {

/// Two operands and a result, and something to spare for the skew between.
constexpr int64_t tilesInL2 = 4;

} // namespace

int64_t TargetDescription::l2ChannelBytes(int64_t columns) const {
  return llvm::alignTo(columns * int64_t(halfBytes), l2Granule);
}

int64_t TargetDescription::maxTileChannels(int64_t columns,
                                           int64_t streamBytes) const {
  int64_t channelBytes = std::min(l2ChannelBytes(columns), streamBytes);
  return std::min(l2Bytes / tilesInL2 / channelBytes, maxChannels);
}

int64_t TargetDescription::maxExchangedChannels(int64_t columns) const {
  int64_t step = rowStep();
  // A row of the source and all of the result. Verified: 1 MB of 2.
  int64_t perChannel = std::min(l2ChannelBytes(columns), neStreamBytes) +
                       columns * int64_t(halfBytes);
  int64_t channels =
      std::min({usableL2Bytes() / perChannel,
                maxTileChannels(columns, neStreamBytes), maxWidth});
  return std::max(channels / step * step, step);
}
