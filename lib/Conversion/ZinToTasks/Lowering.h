//===- Lowering.h - From layers to tasks ------------------------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_LOWERING_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_LOWERING_H

#include "PaletteParts.h"
#include "TaskBuilder.h"
#include "ane/Target/ComputedProducts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Allocator.h"

namespace ane::tasks {

/// What a reduction computes; see zin::ReductionOp.
struct ReductionParams {
  zin::ReductionType kind = zin::ReductionType::Sum;
  bool square = false;
  zin::PEPost post = zin::PEPost::none;
  double scale = 1;
  double epsilon = 0;

  static ReductionParams of(zin::ReductionOp op);
  /// Of a task that reduces so many elements to one.
  PEParams ofTask(int64_t count) const;
  /// Whether a reduction of one element is not that element.
  bool changesElements() const {
    return square || scale != 1 || epsilon != 0 || post != zin::PEPost::none;
  }
};

/// Lowers one procedure. Each layer has a rule that reads the views of its
/// operands, emits tasks and sets the view of its result. A rule fails after
/// reporting what it cannot express.
class Lowering {
public:
  Lowering(zin::ProcedureOp procedure, zin::ProgramOp program,
           const TargetDescription &target);

  llvm::LogicalResult run();

  const TaskBuilder &builder() const { return b; }

private:
  // One rule a layer; see the file of the family.
  llvm::LogicalResult lower(zin::ConvOp op);
  llvm::LogicalResult lower(zin::MatMulOp op);
  llvm::LogicalResult lower(zin::PoolOp op);
  llvm::LogicalResult lower(zin::ElementWiseOp op);
  llvm::LogicalResult lower(zin::ScaledElementWiseOp op);
  llvm::LogicalResult lower(zin::GOCOp op);
  llvm::LogicalResult lower(zin::NeuronOp op);
  llvm::LogicalResult lower(zin::ReductionOp op);
  llvm::LogicalResult lower(zin::SoftmaxOp op);
  llvm::LogicalResult lower(zin::ReshapeOp op);
  llvm::LogicalResult lower(zin::TransposeOp op);
  llvm::LogicalResult lower(zin::InputViewOp op);
  llvm::LogicalResult lower(zin::ConcatOp op);

  llvm::LogicalResult lowerLayer(mlir::Operation *op);

  /// Refuses values that memory has no room for, before they become tasks by
  /// the million.
  llvm::LogicalResult checkMemory();
  llvm::LogicalResult checkMemory(mlir::Operation *op, const llvm::Twine &what,
                                  mlir::Value value);
  void makePorts();
  /// Lets the layer that computes a returned value write the output directly,
  /// where nobody else reads it.
  void assignOutputs(zin::ReturnOp op);
  llvm::LogicalResult finishOutputs(zin::ReturnOp op);
  bool updateState(zin::ConcatOp joined, unsigned result);
  /// Whether a layer writes its result through a view: through any, or only
  /// through one whose matrices or rows are one distance apart.
  bool writesThrough(mlir::Operation *layer, const View &view) const;
  /// Lets layers write directly where others put their results, and products
  /// hand theirs over as they are read.
  void assignParts(mlir::Block &block);
  /// Where a concatenation puts them, where that costs no traffic.
  void assignConcat(zin::ConcatOp op);
  /// Layers in a row that move no element, or none but whole rows, each of
  /// which alone reads the one before.
  struct Moves {
    mlir::Value written; ///< what the first of them reads
    bool areTold;        ///< strides tell them of that as it was computed
  };
  /// Takes note of those that end in this one.
  void followMoves(mlir::Operation *last);
  /// Where reshapes and transposes put them: as the heads of an attention, side
  /// by side in rows.
  void assignReshape(zin::ReshapeOp op);
  bool isOutputBuffer(zin::ViewAttr buffer) const;
  std::optional<View> viewBehind(mlir::Operation *move, const View &view);
  std::optional<View> viewInFront(mlir::Operation *move, const View &view);
  /// Whether the parts of a concatenation can be written as they are.
  bool joinsDirectly(zin::ConcatOp op) const;
  /// The part of each of its values in a view that has its axis along `dim`.
  static llvm::SmallVector<View> partsOf(zin::ConcatOp op, const View &whole,
                                         unsigned dim);

  /// Where a value lies. Constants get a buffer when they are first read.
  View viewOf(mlir::Value value);
  /// Where a layer is to write its result: the output it was assigned, or a new
  /// intermediate buffer.
  View resultView(mlir::Value value);
  void setView(mlir::Value value, const View &view) {
    views[value] = new (viewStorage.Allocate()) View(view);
  }

  View makeConstantView(mlir::ElementsAttr elements,
                        llvm::ArrayRef<int64_t> shape);

  /// The elements of a constant operand.
  mlir::ElementsAttr elementsOf(mlir::Value value);
  /// See sliceElements: the same attribute for the same elements, so that equal
  /// kernels are known to be equal.
  mlir::ElementsAttr sliceOf(mlir::ElementsAttr elements, int64_t begin,
                             int64_t count, int64_t times = 1);

  /// The matrices of a view as [1, 1, batch, rows, columns] if they are one
  /// distance apart.
  static std::optional<View> batchOf(const View &view);
  /// The same; of a copy if they are not.
  View asBatch(const View &view);
  /// [1, 1, batch, rows, columns] as [batch, 1, rows, 1, columns].
  static View rowsAsChannels(const View &view);
  /// Outputs that have a kernel of their own.
  struct Outputs {
    int64_t begin, count;
    mlir::FlatSymbolRefAttr kernel;
  };
  /// Whether a view has not all of an intermediate value.
  bool isPart(const View &view) const;
  /// Those of a layer of which they are in tasks, by the palettes that its
  /// coefficients fit, if the program has some.
  OutputParts partsOf(const PartedLayer &layer, mlir::ElementsAttr weights,
                      int64_t begin);
  class Convolution;
  void convolve(const NEParams &params, const View &x, const View &y,
                llvm::ArrayRef<Outputs> parts);
  class ConstantProduct;
  void multiplyConstant(zin::MatMulOp op, const View &source,
                        const View &result, bool turns, bool turnsBack);
  View turnedRows(mlir::Value value);
  bool readsTurned(mlir::OpOperand &use) const;
  bool isReadTurned(mlir::Value value) const;
  bool turnsInRuns(zin::MatMulOp op) const;
  /// Lets operands of a product change places where its result is read turned
  /// and that takes less.
  void exchangeOperands(zin::MatMulOp op);
  bool isBetterExchanged(zin::MatMulOp op) const;
  /// A product of which a computed matrix is the kernel.
  struct ComputedProduct {
    View source;  ///< [batch, 1, contracted, 1, kept], or [.., kept, ..]
    View kernels; ///< [1, 1, batch, outputs, contracted]
    View result;  ///< [batch, 1, outputs, 1, kept], or [.., kept, .., outputs]
    bool turns;   ///< channels of the source are kept
    bool turnsBack; ///< outputs lie along the columns of the result
    bool inParts;   ///< the source is brought to L2 in parts
  };
  /// The rows of a task, of each matrix of the kernel.
  struct ComputedKernel {
    KernelRows rows;
    View view; ///< [matrices, 1, outputs of a lane, lanes, taps]
  };
  void multiplyComputed(zin::MatMulOp op, const ComputedProduct &product);
  void multiplyRows(const NEParams &params,
                    llvm::ArrayRef<ComputedKernel> kernels, int64_t matrix,
                    const View &x, const View &y);
  void multiplyInBlocks(const NEParams &params,
                        llvm::ArrayRef<ComputedKernel> kernels, int64_t matrix,
                        const View &x, const View &y);
  llvm::SmallVector<ComputedKernel> computedKernels(const View &all,
                                                    bool interleaves);
  bool isNear(const View &kernels) const;
  int64_t interleaveOf(mlir::Value value, unsigned rows) const;
  int64_t interleaveOf(mlir::OpOperand &use, unsigned rows) const;
  bool splitsColumns(llvm::ArrayRef<int64_t> from,
                     llvm::ArrayRef<int64_t> to) const;
  View matrixView(mlir::Value value);
  static size_t blockEnd(llvm::ArrayRef<ComputedKernel> kernels, size_t begin,
                         int64_t most, int64_t step);
  View bringNear(const View &part, bool turns);
  View makeApart(int64_t channels, int64_t columns);
  bool keepsLeft(zin::MatMulOp op) const;
  bool readsRowsOnce(zin::MatMulOp op) const;
  bool sumsOnPlanes(zin::MatMulOp op) const;
  void multiplyOnPlanes(zin::MatMulOp op);
  bool multipliesInParts(zin::MatMulOp op) const;
  zin::TransposeOp turnInParts(zin::MatMulOp op) const;
  bool isOfProduct(zin::TransposeOp op) const;

  /// Reduces `axes` to extent 1.
  llvm::LogicalResult reduce(mlir::Operation *op,
                             const ReductionParams &reduction, View x,
                             llvm::SmallVector<unsigned> axes, View y);
  std::optional<View> wholeOf(const View &x) const;
  llvm::LogicalResult reduceColumns(mlir::Operation *op,
                                    const ReductionParams &reduction,
                                    const View &x, unsigned firstDim,
                                    const View &y, bool vector);
  bool areSlowGroups(const View &x, int64_t groups, int64_t channels) const;
  bool reduceToVector(zin::ReductionOp op, const ReductionParams &reduction,
                      llvm::ArrayRef<unsigned> axes);
  bool takeMaximum(const View &x, unsigned dim, const View &y);
  void reduceCells(const ReductionParams &reduction, const View &x,
                   unsigned firstDim, unsigned lastDim, const View &y);
  /// Rows and columns that are turned at a time.
  struct TurnedPart {
    int64_t rows, columns;
  };
  TurnedPart turnedPart(const View &x) const;
  void reduceTurned(const PEParams &params, const View &x, const View &y);
  llvm::LogicalResult reduceRows(mlir::Operation *op,
                                 const ReductionParams &reduction,
                                 const View &x, unsigned firstDim,
                                 unsigned lastDim, const View &y);
  llvm::LogicalResult refuseReduction(mlir::Operation *op, int64_t reduced);

  /// Tasks of which a value from memory is both sources.
  void emitOfOne(const PEParams &params, const View &x, const View &result);
  /// Lowers a layer with the one at hand, whose tasks have its location, too.
  void take(mlir::Operation *layer) {
    done.insert(layer);
    b.addLocation(layer->getLoc());
  }
  NEParams passOf(zin::NeuronOp op, int64_t lanes,
                  mlir::FlatSymbolRefAttr &table);
  bool isOfSources(zin::NeuronOp relu) const;
  bool isOfTranspose(zin::NeuronOp op) const;
  /// The activation that makes a value, if the tasks that read it apply it.
  zin::NeuronOp ofReader(mlir::Value value) const;
  /// Lets the task that computes a value apply the relu behind it, if that is
  /// all that reads the value. Returns what the task computes then.
  mlir::Value takeRelu(mlir::Value value, PEParams &params);
  /// The same with a factor in front of the relu, or alone: the planar engine
  /// scales a result, then applies a relu, and rounds behind both. Factors are
  /// verified for a difference and for one source, relus for a sum and for one
  /// source; for other operations, and for both together, it is assigned.
  mlir::Value takeEpilogue(mlir::Value value, PEParams &params);

  /// What tasks that standardize a value read.
  struct Standardized {
    View reduced, applied;
    int64_t count = 0;           ///< elements of a mean
    bool isVector = false;       ///< means lie along columns
    bool repeatsChannel = false; ///< one mean for all channels
  };
  std::optional<Standardized> standardizedViews(zin::ReductionOp mean);
  /// Lowers a difference with the layer that reads it as one task.
  bool takeDifference(zin::ElementWiseOp op);
  bool sumDifference(zin::ElementWiseOp op, zin::ReductionOp sum);
  bool scaleDifference(zin::ElementWiseOp op, zin::ElementWiseOp product);
  /// Lowers a mean and the layers after it that together standardize the last
  /// dimensions, if they are such layers.
  bool standardize(zin::ReductionOp op);

  bool sumsTurned(zin::SoftmaxOp op) const;
  View shiftedExponential(const View &x, const View &largest, bool vector,
                          int64_t power);
  void normalize(zin::SoftmaxOp op, const View &exponential,
                 const View &reciprocal, const View &y, bool vector,
                 int64_t power);
  llvm::LogicalResult softmaxOverColumns(zin::SoftmaxOp op, const View &x,
                                         const View &y, bool vector);
  void sumChannels(const View &x, const View &y, mlir::FlatSymbolRefAttr table,
                   int64_t power);
  void sumChannelsInParts(const View &x, const View &y, int64_t perSum,
                          int64_t power);
  llvm::LogicalResult softmaxOverChannels(zin::SoftmaxOp op, const View &x,
                                          const View &y);
  llvm::LogicalResult softmaxOverPlanes(zin::SoftmaxOp op, View x, View y,
                                        int64_t pieceBytes);
  llvm::LogicalResult softmaxInParts(zin::SoftmaxOp op, const View &x,
                                     const View &y);

  /// A view of the elements of `x` in another shape, if its layout gives one.
  std::optional<View> aliasReshape(const View &x,
                                   llvm::ArrayRef<int64_t> shape);
  /// The reshape of a linear view `x` whose rows get another length.
  llvm::LogicalResult changeRows(zin::ReshapeOp op, const View &x);

  /// The dimension to exchange with the columns when those must become a
  /// strided one.
  unsigned exchangeDim(const View &view) const;
  bool keepsRows(const View &view, unsigned dim) const;
  /// A part of a view: where it begins, and its extents, but of the columns.
  using ViewBlock = std::array<std::pair<int64_t, int64_t>, numStrided>;
  llvm::SmallVector<ViewBlock> exchangedBlocks(const View &view, unsigned dim,
                                               bool isChain) const;
  static View exchanged(View view, const ViewBlock &block, unsigned dim);
  /// For a view with channels and columns in each other's place.
  View makeTurned(const View &view);
  /// The elements of a view there.
  View turnedCopy(const View &view);

  zin::ProcedureOp procedure;
  TaskBuilder b;
  /// Apart from the map, whose empty places would take most of its memory.
  llvm::SpecificBumpPtrAllocator<View> viewStorage;
  llvm::DenseMap<mlir::Value, const View *> views;
  llvm::DenseMap<mlir::Value, View> assigned;
  llvm::DenseMap<mlir::Operation *, Moves> moves; ///< those up to each
  /// Matrices with their rows along columns, as products read them.
  llvm::DenseMap<mlir::Value, View> turned;
  /// Rows of kernels, copied to where they lie side by side.
  llvm::DenseMap<mlir::Attribute, View> interleavedCopies;
  /// Where concatenations have values that lie elsewhere.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<View, 1>> copies;
  llvm::SmallVector<View> outputs;
  llvm::DenseMap<std::tuple<mlir::Attribute, int64_t, int64_t, int64_t>,
                 mlir::ElementsAttr>
      slices;
  /// Layers that an earlier one lowers with it.
  llvm::SmallPtrSet<mlir::Operation *, 8> done;
  /// Activations that the tasks which read them apply.
  llvm::SmallPtrSet<mlir::Operation *, 8> ofReaders;
};

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_LOWERING_H
