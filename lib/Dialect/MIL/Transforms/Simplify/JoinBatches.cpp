//===- JoinBatches.cpp - What one kernel multiplies, at once --------------===//
//
// A program that is written out for each of several pieces of sound, or for
// both of two images, multiplies each by the same kernels. These stream past
// the scratchpad and are read for each product, but once for a batch.
//
//===----------------------------------------------------------------------===//

#include "Simplify/JoinedProducts.h"
#include "Simplify/PartOps.h"
#include "ane/Dialect/MIL/Transforms/Passes.h"
#include "ane/Support/Inventory.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace ane::mil {
#define GEN_PASS_DEF_JOINBATCHES
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"
} // namespace ane::mil

using namespace mlir;
using namespace ane;
using namespace ane::mil;

namespace {

/// The attribute of a constant; null for another value.
Attribute constantOf(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  return constant ? constant.getValue() : Attribute();
}

bool areSame(Value a, Value b) {
  return a == b || (constantOf(a) && constantOf(a) == constantOf(b));
}

/// Whether two ops are the same but for their operands, and these correspond.
bool areAlike(Operation *op, Operation *other,
              llvm::function_ref<bool(OpOperand &, OpOperand &)> correspond) {
  // Tells which of the inputs are there that may be left out.
  constexpr llvm::StringLiteral given = "operandSegmentSizes";
  return op->getName() == other->getName() &&
         op->getResultTypes() == other->getResultTypes() &&
         op->getNumOperands() == other->getNumOperands() &&
         op->getInherentAttr(given) == other->getInherentAttr(given) &&
         llvm::all_of(
             llvm::zip_equal(op->getOpOperands(), other->getOpOperands()),
             [&](auto pair) {
               return correspond(std::get<0>(pair), std::get<1>(pair));
             });
}

/// What an op reads that multiplies it by a kernel.
Value imageOf(Operation *product) { return product->getOperand(0); }
Value kernelOf(Operation *product) { return product->getOperand(1); }

/// Whether an op multiplies one image by a kernel that is known.
bool isProduct(Operation *op) {
  if (!isa<ConvOp, LinearOp>(op) || !staticType(op->getResult(0)))
    return false;
  RankedTensorType x = staticType(imageOf(op));
  return x && x.getRank() > 1 && x.getDimSize(0) == 1 &&
         constantOf(kernelOf(op));
}

/// Whether two of them may be one of a batch.
bool multiplyAlike(Operation *op, Operation *other) {
  return areAlike(op, other, [](OpOperand &a, OpOperand &b) {
    return a.getOperandNumber() == 0 ? a.get().getType() == b.get().getType()
                                     : areSame(a.get(), b.get());
  });
}

SmallVector<Value> imagesOf(ArrayRef<Operation *> products) {
  return llvm::map_to_vector(products, imageOf);
}

/// The bytes of a kernel that come after the products with those before them.
/// Each coefficient is multiplied by a number for each place.
int64_t bytesToWaitFor(Operation *product) {
  Value kernel = kernelOf(product);
  int64_t places = staticType(product->getResult(0)).getNumElements() /
                   shapeOf(kernel).front();
  int64_t waiting =
      std::max<int64_t>(elementBytes * productsPerByte - places, 0);
  return staticType(kernel).getNumElements() * waiting / productsPerByte;
}

bool isEarlier(Operation *a, Operation *b) { return a->isBeforeInBlock(b); }

/// Ops in front of a product that are looked at for another one, at most
/// (assigned): who needs more of them computes something else.
constexpr size_t mostOpsBetween = 1024;

/// Of products that are alike how many others are in front of each, at most, if
/// that is known.
using Depths = llvm::DenseMap<Operation *, std::optional<size_t>>;

/// Values of one image each that are slices of a batch of all of them.
struct Batch {
  Value joined;
  SmallVector<Value> images;
};

/// Joins what is alike in a block. Its ops are in the order of the program all
/// the time: what a batch reads moves in front of it.
class BatchJoiner {
public:
  BatchJoiner(MLIRContext *context, int64_t l2Bytes)
      : rewriter(context), l2Bytes(l2Bytes) {}

  /// Joins products that are alike, those together that do not need each other,
  /// and what follows from them. Returns how many it has joined.
  unsigned join(SmallVector<Operation *> alike);
  void eraseUnreadImages();

private:
  bool isWorthIt(ArrayRef<Operation *> group, bool isJoined) const;
  void joinGroup(ArrayRef<Operation *> group, Value joined);
  void replace(ArrayRef<Operation *> ops, ValueRange joined);
  void follow(size_t number);
  void joinUsers(size_t number, Operation *op);
  SmallVector<Operation *> opsLike(Operation *op, const Batch &batch) const;
  bool corresponds(Value first, Value own, size_t image, size_t count) const;
  bool followsImage(Operation *op);
  Value joinedOf(ArrayRef<Value> images) const;

  PatternRewriter rewriter;
  int64_t l2Bytes;
  PartOps rules{/*places=*/1};
  SmallVector<Batch> batches;
  /// The batch of an image, and its place there.
  llvm::DenseMap<Value, std::pair<size_t, size_t>> places;
};

} // namespace

/// The depth of a product, of which those in front of it are known; `front` is
/// the first of them.
static std::optional<size_t> depthOf(Operation *product, Operation *front,
                                     const Depths &depths) {
  size_t depth = 0;
  SmallVector<Value> read = {imageOf(product)};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!read.empty()) {
    Operation *op = read.pop_back_val().getDefiningOp();
    if (!op || op->isBeforeInBlock(front) || !seen.insert(op).second)
      continue;
    if (seen.size() > mostOpsBetween)
      return std::nullopt;
    auto alike = depths.find(op);
    if (alike == depths.end())
      llvm::append_range(read, op->getOperands());
    else if (alike->second)
      depth = std::max(depth, *alike->second + 1);
    else
      return std::nullopt;
  }
  return depth;
}

/// Lists of products that are alike, which are in the order of the program:
/// those of a list need none of each other, and read an image each. Of several
/// of one image the others become one layer with the first.
static std::vector<SmallVector<Operation *>>
independentOf(ArrayRef<Operation *> alike) {
  Depths depths;
  for (Operation *product : alike)
    depths[product] = std::nullopt;
  using DepthAndIndex = std::pair<size_t, size_t>;
  SmallVector<DepthAndIndex> ordered;
  for (auto [index, product] : llvm::enumerate(alike))
    if (auto depth = depthOf(product, alike.front(), depths)) {
      depths[product] = depth;
      ordered.push_back({*depth, index});
    }
  llvm::sort(ordered);
  std::vector<SmallVector<Operation *>> lists;
  for (ArrayRef<DepthAndIndex> rest = ordered; !rest.empty();) {
    size_t depth = rest.front().first;
    auto same =
        rest.take_while([&](const auto &each) { return each.first == depth; });
    rest = rest.drop_front(same.size());
    llvm::SmallDenseSet<Value> images;
    SmallVector<Operation *> list;
    for (size_t index : llvm::make_second_range(same))
      if (images.insert(imageOf(alike[index])).second)
        list.push_back(alike[index]);
    lists.push_back(std::move(list));
  }
  return lists;
}

/// What makes some values from an op on, in the order of the program.
static SmallVector<Operation *> makersFrom(Operation *front,
                                           SmallVector<Value> read) {
  llvm::SetVector<Operation *> inputs;
  while (!read.empty()) {
    Operation *op = read.pop_back_val().getDefiningOp();
    if (op && !op->isBeforeInBlock(front) && inputs.insert(op))
      llvm::append_range(read, op->getOperands());
  }
  SmallVector<Operation *> result = inputs.takeVector();
  llvm::sort(result, isEarlier);
  return result;
}

/// Images as one value, if there is one: their batch, or what they have been
/// joined to for other products.
Value BatchJoiner::joinedOf(ArrayRef<Value> images) const {
  auto place = places.find(images.front());
  if (place != places.end()) {
    const Batch &batch = batches[place->second.first];
    if (ArrayRef(batch.images) == images)
      return batch.joined;
  }
  for (Operation *user : images.front().getUsers()) {
    auto concat = dyn_cast<ConcatOp>(user);
    if (concat && joinsAlong(concat, 0) &&
        llvm::equal(concat.getValues(), images))
      return concat.getResult();
  }
  return Value();
}

/// Compares the bytes of kernels that products would wait for once more with
/// those that are fetched to join what they read, unless it is joined.
bool BatchJoiner::isWorthIt(ArrayRef<Operation *> group, bool isJoined) const {
  Value image = imageOf(group[0]);
  // Products that read the same images, as those of an attention, share them.
  int64_t fetched =
      isJoined ? 0
               : bytesOf(image) / llvm::count_if(image.getUsers(), isProduct);
  int64_t again = group.size() - 1;
  // again * bytes > (again + 1) * fetched, which could pass 64 bits.
  return bytesToWaitFor(group[0]) - fetched > fetched / again;
}

/// Images of `joined` in the place of the results of ops that are alike.
void BatchJoiner::replace(ArrayRef<Operation *> ops, ValueRange joined) {
  for (auto [number, whole] : llvm::enumerate(joined)) {
    Batch batch = {whole, {}};
    Operation *behind = whole.getDefiningOp()->getNextNode();
    for (auto [place, op] : llvm::enumerate(ops)) {
      OpResult old = op->getResult(number);
      Replacer r(rewriter, behind);
      Value image = r.slice(whole, 0, place, 1);
      takeNames(cast<OpResult>(image), old);
      old.replaceAllUsesWith(image);
      rules.setDim(image, 0);
      places[image] = {batches.size(), place};
      batch.images.push_back(image);
    }
    batches.push_back(std::move(batch));
  }
  for (Operation *op : ops) {
    rules.forget(op);
    op->erase();
  }
}

/// With `joined`, or else what it has made of its images.
void BatchJoiner::joinGroup(ArrayRef<Operation *> group, Value joined) {
  Operation *product = group.front();
  SmallVector<Value> images = imagesOf(group);
  for (Operation *op :
       makersFrom(product, joined ? SmallVector<Value>{joined} : images))
    op->moveBefore(product);
  takeLocations(product, group.drop_front());
  Replacer r(rewriter, product);
  IRMapping mapping;
  mapping.map(imageOf(product), joined ? joined : r.concat(images, 0));
  Operation *whole = rewriter.clone(*product, mapping);
  dropNames(whole);
  auto type = cast<RankedTensorType>(product->getResult(0).getType());
  whole->getResult(0).setType(type.clone(
      PartOps::shapeOfPart(type.getShape(), 0, int64_t(group.size()))));
  replace(group, whole->getResults());
}

/// Whether an op that does with an image what another does with the first of
/// `count` reads `own` where that reads `first`.
bool BatchJoiner::corresponds(Value first, Value own, size_t image,
                              size_t count) const {
  auto place = places.find(first);
  if (place == places.end())
    return areSame(first, own);
  ArrayRef<Value> images = batches[place->second.first].images;
  return place->second.second == 0 && images.size() == count &&
         images[image] == own;
}

/// The ops that do with each image what `op` does with the first one; nothing
/// unless there is one for each.
SmallVector<Operation *> BatchJoiner::opsLike(Operation *op,
                                              const Batch &batch) const {
  size_t count = batch.images.size();
  SmallVector<Operation *> ops = {op};
  for (size_t image : llvm::seq<size_t>(1, count)) {
    auto users = batch.images[image].getUsers();
    auto user = llvm::find_if(users, [&](Operation *other) {
      return areAlike(op, other, [&](OpOperand &a, OpOperand &b) {
        return corresponds(a.get(), b.get(), image, count);
      });
    });
    if (user == users.end())
      return {};
    ops.push_back(*user);
  }
  return ops;
}

/// Whether the results of an op are images if what it reads of images is one.
bool BatchJoiner::followsImage(Operation *op) {
  if (!rules.follow(op))
    return false;
  bool keepsBatch = llvm::all_of(op->getResults(), [&](Value result) {
    return rules.dimOf(result) == 0 && shapeOf(result).front() == 1;
  });
  if (!keepsBatch)
    rules.forget(op);
  return keepsBatch;
}

/// Joins what does the same with each image of a batch as `op` with the first.
void BatchJoiner::joinUsers(size_t number, Operation *op) {
  SmallVector<Operation *> ops = opsLike(op, batches[number]);
  if (ops.empty() || !followsImage(op))
    return;
  // All that one of them reads is in front of it, or a constant for each.
  Operation *front = *llvm::min_element(ops, isEarlier);
  llvm::DenseMap<Value, Value> made;
  for (Value read : op->getOperands()) {
    if (auto place = places.find(read); place != places.end())
      made[read] = batches[place->second.first].joined;
    else if (constantOf(read) && front->isBeforeInBlock(read.getDefiningOp()))
      read.getDefiningOp()->moveBefore(front);
  }
  takeLocations(op, ops);
  JoinedPart all = {batches[number].joined, {int64_t(ops.size())}};
  Replacer r(rewriter, front);
  replace(ops, rules.make(r, op, all, made));
}

/// Joins what follows from all images of a batch in the same way.
void BatchJoiner::follow(size_t number) {
  auto listed = batches[number].images.front().getUsers();
  llvm::SetVector<Operation *> users(listed.begin(), listed.end());
  // They are listed from the last use on.
  for (Operation *op : llvm::reverse(users))
    joinUsers(number, op);
}

unsigned BatchJoiner::join(SmallVector<Operation *> alike) {
  if (alike.size() < 2)
    return 0;
  Operation *any = alike.front();
  // A batch that the scratchpad does not hold would be moved between all ops.
  int64_t most = std::min(longestOuter, l2Bytes / (bytesOf(imageOf(any)) +
                                                   bytesOf(any->getResult(0))));
  if (most < 2 || bytesToWaitFor(any) == 0)
    return 0;
  // What others read may have moved.
  if (!llvm::is_sorted(alike, isEarlier))
    llvm::sort(alike, isEarlier);
  unsigned count = 0;
  for (const SmallVector<Operation *> &products : independentOf(alike))
    for (ArrayRef<Operation *> rest = products; rest.size() > 1;) {
      auto group = rest.take_front(most);
      rest = rest.drop_front(group.size());
      Value joined = joinedOf(imagesOf(group));
      if (!isWorthIt(group, /*isJoined=*/bool(joined)))
        continue;
      count += group.size();
      size_t number = batches.size();
      joinGroup(group, joined);
      while (number < batches.size())
        follow(number++);
    }
  return count;
}

void BatchJoiner::eraseUnreadImages() {
  for (Batch &batch : batches)
    eraseUnread(batch.images);
}

namespace {

class JoinBatches : public mil::impl::JoinBatchesBase<JoinBatches> {
public:
  using JoinBatchesBase::JoinBatchesBase;

  void runOnOperation() override {
    const auto &inventory = getAnalysis<Inventory>();
    if (inventory.hasBlocks() || !inventory.hasAny<ConvOp, LinearOp>())
      return markAllAnalysesPreserved();
    llvm::MapVector<Attribute, SmallVector<Operation *>> products;
    for (Operation &op : getOperation().getBody().front())
      if (isProduct(&op)) {
        SmallVector<Operation *> &alike = products[constantOf(kernelOf(&op))];
        if (alike.empty() || multiplyAlike(alike.front(), &op))
          alike.push_back(&op);
      }
    BatchJoiner joiner(&getContext(), l2Bytes);
    unsigned joined = 0;
    for (auto &[kernel, alike] : products)
      joined += joiner.join(std::move(alike));
    if (joined == 0)
      return markAllAnalysesPreserved();
    numJoined += joined;
    joiner.eraseUnreadImages();
  }
};

} // namespace
