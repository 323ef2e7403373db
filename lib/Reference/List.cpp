//===- List.cpp - Lists of tensors ----------------------------------------===//

#include "List.h"
#include "OpTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ane;
using namespace ane::reference;

namespace {

RankedTensorType elementType(const List &list) {
  return cast<RankedTensorType>(list.type.getElementType());
}

/// Checks an index, and makes the list long enough to be written there.
LogicalResult reach(Operation *op, List &list, int64_t index, bool isWritten) {
  int64_t length = list.elements.size();
  bool mayGrow = isWritten && ShapedType::isDynamic(list.type.getLength());
  if (index < 0 || (index >= length && !mayGrow))
    return report(op) << "index " << index << " is outside the list, which has "
                      << length << " elements";
  if (index >= List::maxLength)
    return report(op) << "index " << index
                      << " would make the list longer than "
                      << "the " << List::maxLength
                      << " elements that the reference holds";
  if (index >= length)
    list.elements.resize(index + 1);
  return success();
}

/// The element at an index; zeros where nothing was written.
FailureOr<std::shared_ptr<const Tensor>> elementAt(Operation *op, List &list,
                                                   int64_t index) {
  if (failed(reach(op, list, index, /*isWritten=*/false)))
    return failure();
  std::shared_ptr<const Tensor> &element = list.elements[index];
  if (!element) {
    if (llvm::Error error = Tensor::check(elementType(list)))
      return report(op) << "element " << index << " was not written yet: "
                        << llvm::toString(std::move(error));
    element = std::make_shared<Tensor>(elementType(list));
  }
  return element;
}

FailureOr<Datum> make(mil::MakeListOp op, ArrayRef<const Tensor *> operands) {
  List list;
  list.type = cast<mil::ListType>(op.getResult().getType());
  int64_t length =
      op.getInitLength() ? operands.front()->ints().front() : int64_t(1);
  if (length < 0 || length > List::maxLength)
    return report(op) << "'init_length' is " << length
                      << "; the reference holds lists of 0 to "
                      << List::maxLength << " elements";
  list.elements.resize(length);
  return Datum(std::move(list));
}

FailureOr<Datum> length(mil::ListLengthOp op, const List &list) {
  Tensor result = resultOf(op);
  result.ints().front() = list.elements.size();
  return Datum(std::move(result));
}

FailureOr<Datum> write(mil::ListWriteOp op, List list,
                       ArrayRef<const Tensor *> operands) {
  mil::ListWriteOp::GenericAdaptor<ArrayRef<const Tensor *>> in(operands, op);
  int64_t index = in.getIndex()->ints().front();
  if (failed(reach(op, list, index, /*isWritten=*/true)))
    return failure();
  list.elements[index] = std::make_shared<Tensor>(*in.getValue());
  return Datum(std::move(list));
}

FailureOr<Datum> scatter(mil::ListScatterOp op, List list,
                         ArrayRef<const Tensor *> operands) {
  mil::ListScatterOp::GenericAdaptor<ArrayRef<const Tensor *>> in(operands, op);
  const Tensor &value = *in.getValue();
  auto slice = RankedTensorType::get(value.getShape().drop_front(),
                                     value.getElementType());
  int64_t size = slice.getNumElements();
  for (auto [i, index] : llvm::enumerate(in.getIndices()->ints())) {
    if (failed(reach(op, list, index, /*isWritten=*/true)))
      return failure();
    auto element = std::make_shared<Tensor>(slice);
    withPayload(value, [&](auto payload) {
      using T = decltype(payload);
      llvm::copy(value.values<T>().slice(i * size, size),
                 element->values<T>().begin());
    });
    list.elements[index] = std::move(element);
  }
  return Datum(std::move(list));
}

FailureOr<Datum> read(mil::ListReadOp op, List list,
                      ArrayRef<const Tensor *> operands) {
  mil::ListReadOp::GenericAdaptor<ArrayRef<const Tensor *>> in(operands, op);
  auto element = elementAt(op, list, in.getIndex()->ints().front());
  if (failed(element))
    return failure();
  return Datum(**element);
}

FailureOr<Datum> gather(mil::ListGatherOp op, List list,
                        ArrayRef<const Tensor *> operands) {
  mil::ListGatherOp::GenericAdaptor<ArrayRef<const Tensor *>> in(operands, op);
  ArrayRef<int64_t> indices = in.getIndices()->ints();
  SmallVector<std::shared_ptr<const Tensor>> elements;
  for (int64_t index : indices) {
    auto element = elementAt(op, list, index);
    if (failed(element))
      return failure();
    if (!elements.empty() &&
        elements.front()->getType() != (*element)->getType())
      return report(op) << "the elements differ in shape";
    elements.push_back(*element);
  }
  SmallVector<int64_t> shape = {int64_t(elements.size())};
  llvm::append_range(shape, elements.empty() ? elementType(list).getShape()
                                             : elements.front()->getShape());
  auto type = RankedTensorType::get(shape, elementType(list).getElementType());
  if (llvm::Error error = Tensor::check(type))
    return report(op) << llvm::toString(std::move(error));
  Tensor result(type);
  withPayload(result, [&](auto payload) {
    using T = decltype(payload);
    auto out = result.values<T>().begin();
    for (const auto &element : elements)
      out = llvm::copy(element->template values<T>(), out);
  });
  return Datum(std::move(result));
}

} // namespace

bool ane::reference::isListOp(Operation *op) {
  return isa<mil::MakeListOp, mil::ListLengthOp, mil::ListWriteOp,
             mil::ListReadOp, mil::ListGatherOp, mil::ListScatterOp>(op);
}

FailureOr<Datum>
ane::reference::evaluateListOp(Operation *op, List list,
                               ArrayRef<const Tensor *> operands) {
  return llvm::TypeSwitch<Operation *, FailureOr<Datum>>(op)
      .Case([&](mil::MakeListOp op) { return make(op, operands); })
      .Case([&](mil::ListLengthOp op) { return length(op, list); })
      .Case([&](mil::ListWriteOp op) {
        return write(op, std::move(list), operands);
      })
      .Case([&](mil::ListReadOp op) {
        return read(op, std::move(list), operands);
      })
      .Case([&](mil::ListGatherOp op) {
        return gather(op, std::move(list), operands);
      })
      .Case([&](mil::ListScatterOp op) {
        return scatter(op, std::move(list), operands);
      });
}
