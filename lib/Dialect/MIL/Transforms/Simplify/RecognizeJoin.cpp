//===- RecognizeJoin.cpp - Sums of values between zeros -------------------===//
//
// Programs that are to have no `concat` write pad(a, behind) + pad(b, in
// front).
//
//===----------------------------------------------------------------------===//

#include "Replacer.h"
#include "Simplify/Recognize.h"

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// A value along an axis of a sum, with zeros in front of it and behind.
struct Part {
  PadOp pad;
  int64_t axis;
  int64_t begin;
};

/// What a pad of one dimension is; nothing of another one, or of other numbers.
std::optional<Part> partOf(PadOp pad) {
  std::optional<StringRef> mode =
      pad.getMode() ? getConstantString(pad.getMode()) : StringRef("constant");
  std::optional<SmallVector<int64_t>> counts = getConstantInts(pad.getPad());
  RankedTensorType type = staticType(pad.getX());
  if (mode != "constant" || pad.getConstantValOrDefault() != 0.0 || !counts ||
      !type || counts->size() > 2 * size_t(type.getRank()))
    return std::nullopt;
  // The list may leave out the first dimensions.
  counts->insert(counts->begin(), 2 * type.getRank() - counts->size(), 0);
  std::optional<Part> part;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    int64_t front = (*counts)[2 * axis], behind = (*counts)[2 * axis + 1];
    if (front == 0 && behind == 0)
      continue;
    if (part)
      return std::nullopt;
    part = Part{pad, axis, front};
  }
  return part;
}

/// Adds the parts of a sum; false where it has another operand, or something
/// else reads one.
bool findParts(AddOp sum, SmallVectorImpl<Part> &parts) {
  SmallVector<AddOp> sums = {sum};
  while (!sums.empty()) {
    AddOp each = sums.pop_back_val();
    for (Value operand : {each.getX(), each.getY()}) {
      if (!operand.hasOneUse() || operand.getType() != sum.getType())
        return false;
      if (auto inner = operand.getDefiningOp<AddOp>()) {
        sums.push_back(inner);
        continue;
      }
      auto pad = operand.getDefiningOp<PadOp>();
      std::optional<Part> part = pad ? partOf(pad) : std::nullopt;
      if (!part)
        return false;
      parts.push_back(*part);
    }
  }
  return true;
}

} // namespace

bool ane::mil::recognizeJoin(PatternRewriter &rewriter, AddOp sum) {
  RankedTensorType type = staticType(sum.getResult());
  SmallVector<Part> parts;
  if (!type || !findParts(sum, parts))
    return false;
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.begin < b.begin; });
  int64_t axis = parts.front().axis, end = 0;
  SmallVector<Value> values;
  for (Part &part : parts) {
    if (part.axis != axis || part.begin != end)
      return false;
    values.push_back(part.pad.getX());
    end += shapeOf(values.back())[axis];
  }
  if (end != type.getDimSize(axis))
    return false;
  Replacer r(rewriter, sum);
  Value x = sum.getX(), y = sum.getY(), joined = r.concat(values, axis);
  (void)r.replace(joined);
  eraseUnread({x, y}, joined.getDefiningOp());
  return true;
}
