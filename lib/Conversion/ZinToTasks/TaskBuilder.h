//===- TaskBuilder.h - Makes buffers, kernels and tasks ---------*- C++ -*-===//

#ifndef ANE_LIB_CONVERSION_ZINTOTASKS_TASKBUILDER_H
#define ANE_LIB_CONVERSION_ZINTOTASKS_TASKBUILDER_H

#include "View.h"
#include "ane/Target/Target.h"
#include "mlir/IR/Builders.h"

namespace ane::tasks {

/// A kernel to be made; see zin::KernelOp.
struct KernelParams {
  mlir::ElementsAttr weights;
  mlir::ElementsAttr bias;
  zin::NeuronAttr activation;
  int64_t outputs = 1;
  int64_t taps = 1;
  int64_t groups = 1;
  unsigned ocgSize = 0;
  bool channelwise = false;
};

/// A task of the neural engine; see zin::NEConfigAttr. The default is a copy.
struct NEParams {
  zin::MACOp op = zin::MACOp::pass;
  std::array<int64_t, 2> window = {1, 1};
  std::array<int64_t, 2> stride = {1, 1};
  std::array<int64_t, 2> padding = {0, 0};
  int64_t unicast = 1;
  /// A kernel whose groups are those of the views, not a batch.
  bool grouped = false;
  bool kernelless = true;
  bool lowestPadding = false;
  bool relu = false;
  bool transposed = false;
  double accBias = 0;
  double postScale = 1;
};

/// A task of the planar engine; see zin::PEConfigAttr.
struct PEParams {
  zin::PEOp op = zin::PEOp::add;
  zin::PEReduce reduce = zin::PEReduce::none;
  zin::PEPost post = zin::PEPost::none;
  bool negate1 = false;
  bool negate2 = false;
  bool relu2 = false;
  bool relu = false;
  bool abs = false;
  /// Operands and result with their channels along columns.
  bool vector1 = false, vector2 = false, vectorResult = false;
  /// Source 2 has one channel for all, even for one.
  bool repeatsChannel2 = false;
  double preScale = 1;
  double scale = 1;
  double bias = 0;
  double epsilon = 0;
  double finalScale = 1;
};

/// Emits into a program. What is more than one task can hold - groups, planes,
/// rows, channels of which a row must fit the scratchpad - is cut into several
/// tasks where elements do not depend on each other.
class TaskBuilder {
public:
  TaskBuilder(zin::ProgramOp program, const TargetDescription &target);

  const TargetDescription &target;

  /// The tasks made from now on belong to this layer.
  void setLocation(mlir::Location newLocation) { location = newLocation; }
  /// And to this one, too.
  void addLocation(mlir::Location other) {
    location = mlir::FusedLoc::get(location.getContext(), {location, other});
  }

  /// Bytes of a value in memory; nothing where 64 bits do not hold them.
  std::optional<int64_t> packedBytes(llvm::ArrayRef<int64_t> shape) const;

  /// The elements of a buffer of its own, in rows behind each other.
  View packedView(llvm::ArrayRef<int64_t> shape) const;
  /// A buffer with packed rows: a port, an intermediate value, a constant.
  /// `attrs` are those of the argument or result of the procedure; they may say
  /// that a port lies otherwise.
  View makePort(zin::BufferKind kind, mlir::DictionaryAttr attrs,
                llvm::ArrayRef<int64_t> shape);
  View makeScratch(llvm::ArrayRef<int64_t> shape);
  /// So many neighbours of `dim` lie side by side.
  View makeInterleaved(llvm::ArrayRef<int64_t> shape, unsigned dim,
                       int64_t interleave);
  View makeConstant(mlir::ElementsAttr elements, llvm::ArrayRef<int64_t> shape);

  /// The kernel that was made before from the same, if one was: layers that
  /// share weights, such as the steps of a recurrence, share their bytes where
  /// it is not by chance that they are equal.
  mlir::FlatSymbolRefAttr makeKernel(const KernelParams &params);

  /// `computedKernel` is [1, 1, outputs of a lane, lanes, taps]; see
  /// zin::TaskOp.
  void emitNE(zin::Opcode opcode, zin::UnitType unit, const NEParams &params,
              const View &source, const View &result,
              mlir::FlatSymbolRefAttr kernel = {},
              const View *computedKernel = nullptr);
  /// `source2` may be absent. Operands of extent 1 broadcast to the result, or
  /// to `source2` in a reduction. A second source of `pairRows` rows beside a
  /// result of another number is a pair of vectors: what is added, and a
  /// factor.
  void emitPE(zin::Opcode opcode, zin::UnitType unit, const PEParams &params,
              const View &source1, const View *source2, const View &result);

  /// The maximum of all channels.
  void emitChannelMax(const View &source, const View &result);

  /// Moves elements; the views have the same extents.
  void emitCopy(const View &source, const View &result);
  /// Moves elements so that channels and columns change places: `result` is
  /// [N, D, W, H, C] where `source` is [N, D, C, H, W].
  void emitTransposedCopy(const View &source, const View &result);
  /// The same with what a pass does to each element; all lanes have its table.
  void emitTransposed(NEParams params, const View &source, const View &result,
                      mlir::FlatSymbolRefAttr table);
  /// Moves elements to where channels lie side by side. The planar engine moves
  /// what comes from memory, as Apple's compiler has it; what is near takes the
  /// neural engine less time.
  void emitInterleavedCopy(const View &source, const View &result, bool isNear);

  /// The view itself if its rows are linear, else a packed copy.
  View linearize(const View &view);

  /// Bytes of the buffer of a view, if it is an intermediate one.
  std::optional<int64_t> scratchBytes(const View &view) const {
    if (fixed.contains(view.buffer))
      return std::nullopt;
    return wholeBytes(view.buffer);
  }

  unsigned taskCount() const { return numTasks; }
  /// What a task has more of than the target; empty if none has.
  llvm::StringRef getExcess() const { return excess; }
  unsigned copyCount() const { return numCopies; }

private:
  View makeBuffer(zin::BufferKind kind, llvm::ArrayRef<int64_t> shape,
                  llvm::StringRef prefix, mlir::DictionaryAttr port,
                  mlir::ElementsAttr value);
  /// The same with the strides of `view`, which gets its name.
  void addBuffer(zin::BufferKind kind, View &view, llvm::StringRef prefix,
                 mlir::DictionaryAttr port, mlir::ElementsAttr value);
  /// What the next buffer or kernel of this kind is called.
  mlir::FlatSymbolRefAttr nextName(llvm::StringRef prefix);
  zin::PEConfigAttr planarConfig(const PEParams &params, const View &source1,
                                 const View *source2, const View &whole);
  void emitTask(zin::Opcode opcode, zin::UnitType unit, const View &source1,
                const View *source2, const View &result, mlir::Attribute config,
                mlir::FlatSymbolRefAttr kernel,
                const View *computedKernel = nullptr);
  /// Bytes of all of a buffer.
  static int64_t wholeBytes(zin::ViewAttr buffer) {
    return buffer.getGroupStride() * buffer.getGroups();
  }
  void noteExcess(const View &view);
  /// As fp16. Nearly all are 0 or 1, which are made once.
  mlir::FloatAttr half(double value);
  /// A builder behind the last declaration, in front of the tasks.
  mlir::OpBuilder declarationBuilder();

  mlir::Block *block;
  mlir::Operation *lastDeclaration = nullptr;
  mlir::OpBuilder tasks;
  mlir::FloatAttr zero, one;
  mlir::Location location;
  /// Names of one kind are made some hundred at once: the tables where the
  /// context keeps strings and references are in the caches then, one after the
  /// other.
  struct Names {
    unsigned made = 0;
    llvm::SmallVector<mlir::FlatSymbolRefAttr, 0> ahead; ///< the next one last
  };
  static constexpr unsigned mostNamesAhead = 1024;
  llvm::StringMap<Names> names;
  /// Buffers that are no intermediate values, the fewest.
  llvm::DenseSet<zin::ViewAttr> fixed;
  /// Weights, bias, activation and channelwise; outputs, taps, groups, OCGSize.
  using KernelKey = std::pair<std::tuple<mlir::Attribute, mlir::Attribute,
                                         mlir::Attribute, mlir::Attribute>,
                              std::tuple<int64_t, int64_t, int64_t, unsigned>>;
  llvm::DenseMap<KernelKey, mlir::FlatSymbolRefAttr> kernels;
  unsigned numTasks = 0;
  std::string excess;
  unsigned numCopies = 0;
};

} // namespace ane::tasks

#endif // ANE_LIB_CONVERSION_ZINTOTASKS_TASKBUILDER_H
