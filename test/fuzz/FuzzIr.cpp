//===- FuzzIr.cpp - IR with any numbers through the compiler --------------===//
//
// Reads the input as IR of any phase. What is accepted prints as text that is
// read as the same again, and goes through the passes that are left, each of
// which leaves valid IR, and through code generation. What is refused, where
// ever, must have been reported at a place. Numbers of a program change one at
// a time, into such as nobody would write, so that what is around them stays a
// program.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "ane/Codegen/Codegen.h"
#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/InitAll.h"
#include "ane/Pipeline/Phases.h"
#include "ane/Support/CheckedProduct.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ane;
using fuzz::fail;

namespace {

/// Programs with more elements in a value take too long for one of many.
constexpr int64_t mostElements = int64_t(1) << 24;

/// Steps that recurrent layers and loops may have.
constexpr int64_t mostSteps = 8;

/// What is around the limits of registers, of the target and of integers.
constexpr int64_t limits[] = {0,
                              1,
                              2,
                              16,
                              64,
                              16384,
                              32767,
                              65536,
                              131071,
                              int64_t(1) << 24,
                              int64_t(1) << 31,
                              int64_t(1) << 32,
                              int64_t(1) << 48,
                              int64_t(1) << 62,
                              std::numeric_limits<int64_t>::max()};

/// IR in a context of its own, where the resources of no other have names, and
/// the number of its errors.
class Input {
public:
  Input(llvm::StringRef text, llvm::StringRef name)
      : context(registry(), MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          numErrors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
          // Formatting is part of what is tested.
          (void)diagnostic.str();
          return success();
        }) {
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(text, &context, name);
  }

  std::string text() {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

private:
  static const DialectRegistry &registry() {
    static DialectRegistry registry = [] {
      DialectRegistry made;
      registerAllDialects(made);
      return made;
    }();
    return registry;
  }

  MLIRContext context;
  ScopedDiagnosticHandler handler;

public:
  OwningOpRef<ModuleOp> module; ///< null if it was refused
  unsigned numErrors = 0;
};

bool isSmall(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return true;
  std::optional<int64_t> elements =
      ane::checkedProduct<int64_t>(1, shaped.getShape());
  return elements && *elements <= mostElements;
}

bool isSmall(ModuleOp module) {
  return !module
              .walk([](Operation *op) {
                return llvm::all_of(op->getOperandTypes(),
                                    [](Type type) { return isSmall(type); }) &&
                               llvm::all_of(
                                   op->getResultTypes(),
                                   [](Type type) { return isSmall(type); })
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether the passes that are left and code generation take the program.
bool isCompiled(ModuleOp module) {
  PhaseOptions options;
  options.missingWeights = MissingWeights::Seeded;
  options.unrollLimit = mostSteps;
  const Phase *reached = phaseOf(module), *first = allPhases().begin();
  for (const Phase &phase : allPhases()) {
    if (!phase.isIR() || (reached && reached != first && &phase <= reached))
      continue;
    PassManager pm(module.getContext());
    pm.enableVerifier();
    phase.addPasses(pm, options);
    if (failed(pm.run(module)))
      return false;
  }
  return succeeded(
      generatePrograms(llvm::to_vector(module.getOps<zin::ProgramOp>()),
                       *findTarget(options.target), td::Format::V10));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef source = fuzz::textOf(data, size);
  Input input(source, "input.mlir");
  if (!input.module) {
    if (input.numErrors == 0)
      fail("IR was refused without an error", source);
    return 0;
  }
  std::string first = input.text();
  Input again(first, "printed.mlir");
  if (!again.module)
    fail("what was printed is not read", first);
  if (std::string second = again.text(); second != first)
    fail("the second text differs from the first", first + "\n" + second);
  input.numErrors = 0;
  if (phaseOf(*input.module) && isSmall(*input.module) &&
      !isCompiled(*input.module) && input.numErrors == 0)
    fail("a program was refused without an error", source);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  fuzz::Random random(seed);
  llvm::StringRef text = fuzz::textOf(data, size);
  // Numbers, but not those that are part of a name or of another number.
  struct Number {
    size_t begin, end;
  };
  llvm::SmallVector<Number> numbers;
  for (size_t i = 0; i < size; ++i) {
    if (!llvm::isDigit(text[i]))
      continue;
    Number number = {i, i};
    while (number.end < size && llvm::isDigit(text[number.end]))
      ++number.end;
    char before = i ? text[i - 1] : ' ';
    // Extents of a type are between one `x` and the next.
    if ((before == 'x' && i > 1 && !llvm::isAlpha(text[i - 2])) ||
        llvm::StringRef(" <[(,-=").contains(before))
      numbers.push_back(number);
    i = number.end;
  }
  if (numbers.empty() || random.below(fuzz::otherChanges) == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  Number number = numbers[random.below(numbers.size())];
  llvm::StringRef old = text.slice(number.begin, number.end);
  int64_t value = 0;
  old.getAsInteger(10, value);
  std::string changed;
  switch (random.below(4)) {
  case 0: // another number of the program
  {
    Number other = numbers[random.below(numbers.size())];
    changed = text.slice(other.begin, other.end).str();
    break;
  }
  case 1: // a neighbour
    changed = std::to_string(uint64_t(value) + (random.below(2) ? 1 : -1));
    break;
  case 2:
    changed = std::to_string(limits[random.below(std::size(limits))]);
    break;
  default:
    changed = "-" + std::to_string(limits[random.below(std::size(limits))]);
  }
  // Here, or wherever it says the same: types of one value agree then.
  bool isEverywhere = random.below(2);
  std::string result;
  size_t end = 0;
  for (const Number &each : numbers) {
    if (each.begin != number.begin &&
        !(isEverywhere && text.slice(each.begin, each.end) == old))
      continue;
    result += text.slice(end, each.begin);
    result += changed;
    end = each.end;
  }
  result += text.drop_front(end);
  if (result.size() > maxSize)
    return size;
  llvm::copy(result, data);
  return result.size();
}
