//===- Resampling.cpp - Where resized images take their elements ----------===//

#include "ane/Dialect/MIL/IR/Resampling.h"
#include "ane/Dialect/MIL/IR/Constants.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace ane;
using namespace ane::mil;

std::optional<SamplingMode> ane::mil::getSamplingMode(Value name) {
  std::optional<StringRef> mode = name ? getConstantString(name) : "DEFAULT";
  if (!mode)
    return std::nullopt;
  return llvm::StringSwitch<SamplingMode>(*mode)
      .Case("STRICT_ALIGN_CORNERS", SamplingMode::StrictAlignCorners)
      .Case("ALIGN_CORNERS", SamplingMode::AlignCorners)
      .Case("OFFSET_CORNERS", SamplingMode::OffsetCorners)
      .Case("UNALIGN_CORNERS", SamplingMode::UnalignCorners)
      .Default(SamplingMode::Default);
}

std::vector<double> ane::mil::samplePlaces(SamplingMode mode, double extent,
                                           int64_t count) {
  double in = extent, last = extent - 1, out = static_cast<double>(count);
  auto place = [&](double i) {
    switch (mode) {
    case SamplingMode::StrictAlignCorners:
      return count == 1 ? 0 : i * last / (out - 1);
    case SamplingMode::AlignCorners:
      return count == 1 ? last / 2 : i * last / (out - 1);
    case SamplingMode::Default:
      return i * in / out;
    case SamplingMode::OffsetCorners:
      return (i + 0.5) * std::max(1.0, last) / out;
    case SamplingMode::UnalignCorners:
      return (i + 0.5) * in / out - 0.5;
    }
    llvm_unreachable("covered switch");
  };
  std::vector<double> places;
  places.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    places.push_back(
        std::min(last, std::max(0.0, place(static_cast<double>(i)))));
  return places;
}

std::vector<double> Resampling::places(int64_t extent, int64_t count) const {
  std::vector<double> result;
  if (mode) {
    result = samplePlaces(*mode, static_cast<double>(extent), count);
    if (nearest)
      for (double &place : result)
        place = std::ceil(place - 0.5);
    return result;
  }
  result.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t element = i * extent / count;
    result.push_back(static_cast<double>(element));
  }
  return result;
}

bool ane::mil::mirrorsOutside(CropResizeOp op) {
  constexpr unsigned firstWithPadding = 16;
  return getOpset(op) < firstWithPadding;
}

std::vector<double> ane::mil::sampleWeights(ArrayRef<double> places,
                                            int64_t extent) {
  std::vector<double> weights(places.size() * extent, 0);
  for (auto [sample, place] : llvm::enumerate(places)) {
    auto first = static_cast<int64_t>(place);
    double weight = place - static_cast<double>(first);
    weights[sample * extent + first] = 1 - weight;
    if (weight > 0)
      weights[sample * extent + first + 1] = weight;
  }
  return weights;
}

std::optional<Resampling> ane::mil::getResampling(UpsampleNearestNeighborOp) {
  return Resampling{std::nullopt, /*nearest=*/true};
}

std::optional<Resampling> ane::mil::getResampling(ResizeNearestNeighborOp) {
  return Resampling{std::nullopt, /*nearest=*/true};
}

std::optional<Resampling> ane::mil::getResampling(UpsampleBilinearOp op) {
  std::optional<bool> align = op.getAlignCornersOrDefault();
  if (!align)
    return std::nullopt;
  std::optional<bool> half = getBoolOr(op.getHalfPixelCenters(), !*align);
  if (!half)
    return std::nullopt;
  return Resampling{*align  ? SamplingMode::StrictAlignCorners
                    : *half ? SamplingMode::UnalignCorners
                            : SamplingMode::Default,
                    /*nearest=*/false};
}

std::optional<Resampling> ane::mil::getResampling(ResizeBilinearOp op) {
  std::optional<SamplingMode> mode = getSamplingMode(op.getSamplingMode());
  if (!mode)
    return std::nullopt;
  return Resampling{mode, /*nearest=*/false};
}

std::optional<Resampling> ane::mil::getResampling(ResizeOp op) {
  Value name = op.getInterpolationMode();
  std::optional<StringRef> interpolation =
      name ? getConstantString(name) : "LINEAR";
  std::optional<SamplingMode> mode = getSamplingMode(op.getSamplingMode());
  std::optional<int64_t> dims = getConstantInt(op.getResizedDims());
  if (!interpolation || !mode || !dims)
    return std::nullopt;
  return Resampling{mode, *interpolation == "NEAREST_NEIGHBOR", *dims};
}

namespace {

/// The ops that resize images.
template <typename... Ops> struct OpList {
  static std::optional<Resampling> resampling(Operation *op) {
    return llvm::TypeSwitch<Operation *, std::optional<Resampling>>(op)
        .template Case<Ops...>(
            [](auto resize) { return getResampling(resize); })
        .Default(std::nullopt);
  }
  static bool isIn(const Inventory &inventory) {
    return inventory.hasAny<Ops...>();
  }
};
using Resizes = OpList<UpsampleNearestNeighborOp, ResizeNearestNeighborOp,
                       UpsampleBilinearOp, ResizeBilinearOp, ResizeOp>;

} // namespace

std::optional<Resampling> ane::mil::getResampling(Operation *op) {
  return Resizes::resampling(op);
}

bool ane::mil::hasResize(const Inventory &inventory) {
  return Resizes::isIn(inventory);
}
