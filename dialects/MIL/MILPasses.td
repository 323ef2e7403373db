//===- MILPasses.td - Passes on the MIL dialect ---------------------------===//
//
// One pass, one file in a folder of lib/Dialect/MIL/Transforms, one flag of
// ane-opt, one test of test/Dialect/MIL, all of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_MIL_PASSES_TD
#define ANE_MIL_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoadWeights : Pass<"mil-load-weights", "::mlir::ModuleOp"> {
  let summary = "Put the bytes of weight files in the place of references";
  let description = [{
    Each constant whose value is a `#mil.blob_file` gets a `dense_resource` that
    points into the weight file. A file is mapped once, read-only, and stays
    mapped as long as a value points into it; nothing is copied. Elements
    narrower than a byte stay packed as they are in the file, from the least
    significant bit of each byte on.

    `@model_path` at the start of a path stands for the option `model-path`, or
    without it for the folder of the file that the op's location names.

    The file, the metadata record, element type and size are checked. A refusal
    is reported at the constant and names the file, the offset, the value found
    and the one wanted. Some who write such files give integers of up to 8 bits
    the code of another type, and the compiler of the engine does not look at
    it. With `weight-types=by-size` they are read by their size, which must be
    right, with a warning for each file; without it that is an error, too.
    Likewise a record that has 0 for where its weight lies, as benchmarks write
    them: the weight is read from behind the record, of the size of its type.

    A program can be tried without its weights: with `missing-weights=seeded` a
    file that does not exist is no error. Its weights get stand-in values that
    depend on the path in the text, the offset, the type and what they are for
    only, so every run on every machine has the same ones. They are of a scale
    that lets activations neither grow nor vanish much: matrices and kernels are
    uniform around 0 with the variance 1 / fan-in, which the scales of blocks
    give those that are stored as integers; vectors lie in [1/32, 1/8). A mask
    has as many ones as there are nonzero elements. One warning names the files.
  }];
  let options = [
    Option<"modelPath", "model-path", "std::string", "\"\"",
           "Folder that @model_path stands for">,
    Option<"missingWeights", "missing-weights", "::ane::mil::MissingWeights",
           "::ane::mil::MissingWeights::Error",
           "What a weight file that does not exist is",
           [{::llvm::cl::values(
             clEnumValN(::ane::mil::MissingWeights::Error, "error",
                        "an error"),
             clEnumValN(::ane::mil::MissingWeights::Seeded, "seeded",
                        "stand-in values, with a warning"))}]>,
    Option<"weightTypes", "weight-types", "::ane::mil::WeightTypes",
           "::ane::mil::WeightTypes::Strict",
           "What a record that names another type than the program does is",
           [{::llvm::cl::values(
             clEnumValN(::ane::mil::WeightTypes::Strict, "strict", "an error"),
             clEnumValN(::ane::mil::WeightTypes::BySize, "by-size",
                        "read as what the program says, if the size is right, "
                        "with a warning"))}]>,
  ];
  let statistics = [
    Statistic<"numFiles", "files", "Weight files mapped">,
    Statistic<"numStandIns", "stand-ins", "Constants of missing files">,
    Statistic<"numWeights", "weights", "Constants loaded">,
    Statistic<"numBytes", "bytes", "Bytes that constants point to">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def ReturnValues : Pass<"mil-return-values", "::ane::mil::FuncOp"> {
  let summary = "Return other values of a function";
  let description = [{
    A function returns the values that the option `values` names, in that order,
    in the place of its outputs. So one sees what a program computes inside, or
    leaves out what ends it and no engine does: classifiers end with `classify`,
    which makes a string and a dictionary of probabilities.

    What only the outputs that were needed is erased. Writes to states stay.
    Without values nothing changes.

    Refused are names that the function does not have, outside of its blocks, and
    values that are no tensors.
  }];
  let options = [
    ListOption<"values", "values", "std::string",
               "Names of the values, as in the text">,
  ];
  let statistics = [
    Statistic<"numErased", "erased", "Ops that nothing needs any more">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def SpecializeShapes : Pass<"mil-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Give the inputs of dynamic functions known shapes";
  let description = [{
    Binds the unknown extents of inputs and infers the type of every op again,
    in order. Afterwards nothing in a function is dynamic, and its attribute
    `FlexibleShapeInformation` is gone.

    An input gets the shape that the option `shape` gives it. Without one it gets
    its default shape if `default-shapes` is set. With `enumerated`, a function
    that lists sets of shapes becomes one function for each, named
    `<function>_<key of the set>`.

    Small tensors that a dynamic function computes from the shapes of others,
    and from constants, become constants on the way: a `shape`, what is gathered
    from it, and the arithmetic on that decide the results of `reshape`,
    `range_1d` and the like.

    Refused are: a shape that contradicts the known extents, or that the ranges
    or enumerated shapes of `FlexibleShapeInformation` exclude; with
    `enumerated`, one that contradicts the shape of a set, and a program that
    lists none; an input that stays unknown; the name of an input that does not
    exist; an op whose shape depends on what inputs hold.
  }];
  let options = [
    ListOption<"shapes", "shape", "std::string",
               "Shape of an input, such as x=1x129x4; x= for a scalar">,
    Option<"defaultShapes", "default-shapes", "bool", "false",
           "Give other inputs their DefaultShapes">,
    Option<"enumerated", "enumerated", "bool", "false",
           "Make one function for each of the EnumeratedShapes">,
  ];
  let statistics = [
    Statistic<"numInputs", "inputs", "Inputs that got a shape">,
    Statistic<"numFolded", "folded", "Ops on shapes that became constants">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldConstants : Pass<"mil-fold-constants", "::ane::mil::FuncOp"> {
  let summary = "Evaluate ops whose inputs are all constant";
  let description = [{
    An op on constants becomes a constant of the same name, computed by the
    reference interpreter: in wide precision and rounded once to its element
    type. What moves elements, casts floating-point numbers or says how a weight
    is stored makes the same elements from the bytes of the constant, so that
    nothing of a large weight is held wide. Weights that a program reshapes or
    casts reach the ops that read them as constants this way. `shape` and
    `fill_like` of a static tensor are constant whatever its elements are, and
    `reshape_like` is a `reshape` where the shape is known.

    A result may be larger than what it is computed from. Beyond `limit` bytes
    such an op stays: a weight that is stored as a palette, sparse or in blocks
    is one until somebody needs its elements. Whoever does, runs the pass with
    a higher limit. A constexpr op that only others of its kind read is never
    folded, however small; nor is an op whose values are random. What is computed
    of constants and read by nobody is erased. An op stays that would take more
    elements or operations than FoldLimits.h says; the check against the target
    refuses it (`h13-const-c3`, `c4`).

    The function gets the attribute `mil.palettized` or `mil.sparse` where a
    weight was stored that way, so that code generation may store it so again.
  }];
  let options = [
    Option<"limit", "limit", "uint64_t", "65536",
           "Bytes of a result that is larger than all inputs together">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Ops evaluated">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FactorWeights : Pass<"mil-factor-weights", "::ane::mil::FuncOp"> {
  let summary = "Multiply inputs and results, not constant weights";
  let description = [{
    Networks that generate images modulate their convolutions: for each image a
    constant weight is multiplied by a number for each input, and divided by the
    length that the coefficients of each output then have. The engine has constant
    kernels; a computed one is a product with what each of its taps sees, which
    moves weights and images through memory. A weight that is a constant times
    computed factors, through products, quotients, casts, transposes and reshapes
    in any order, becomes that constant:

    ```
    conv(x, w * s * d) + b  ->  conv(x * s, w) * d + b
    ```

    with s for each input and d for each output. So does that of `conv_transpose`,
    and a batch that is written as the groups of one image becomes a batch again.
    Where a factor is computed from sums of squares of the weight over inputs and
    taps, these need no such weight either: they are a product of the squares of
    the factors, with squares of the constant that are added up over the taps.

    It is another order of products, which round elsewhere (docs/numerics.md).
    Where outputs have factors the constant is multiplied by a power of 2, and
    the factors are divided by it, so that no output has coefficients longer than
    1 and sums do not pass what the accumulator holds before the factor comes.
    Weights stay computed where the product of several constants, or its squares,
    would not be coefficients in fp16, where a factor is about outputs and inputs
    together or about taps, and where groups have constants of their own.
  }];
  let statistics = [
    Statistic<"numFactored", "factored", "Convolutions with constant weights">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldBatchNorm : Pass<"mil-fold-batch-norm", "::ane::mil::FuncOp"> {
  let summary = "Fold batch norms into the convolutions before them";
  let description = [{
    A batch norm multiplies every channel by a constant and adds another. Behind
    a convolution, or a transposed one, with constant weights that nobody else
    reads, the factors go into the weights and the addends into the bias. Both are
    computed in double and rounded once to the element type of the weights.

    Weights that came as palettes stay ones of few numbers where that is fewer
    bytes: where factors of their own would make a kernel larger by more than a
    task reads and writes that applies them to the results.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Batch norms folded">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldPadding : Pass<"mil-fold-padding", "::ane::mil::FuncOp"> {
  let summary = "Let convolutions pad by themselves";
  let description = [{
    Zeros around the input of a convolution, as a `pad` in front of it adds them,
    become padding of the convolution: no task then copies the input to a place
    between zeros, which in front of a row are seldom as many as a line of memory
    has. A convolution stays as it is where windows would see zeros alone.
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Convolutions that pad by themselves">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def TurnPairs : Pass<"mil-turn-pairs", "::ane::mil::FuncOp"> {
  let summary = "Compute on the pairs of rows as on pairs of channels";
  let description = [{
    Rotary positions turn pairs of numbers. In the older way of writing them a pair
    lies side by side in a row: slices with a step of 2, or a reshape to [..., n, 2],
    of one row or of all rows of a head, and a split, then products, `stack` and
    `reshape`. The engine reads and writes rows as a whole, so each of these steps
    moves all elements through a transpose or more, with rows of two elements in 64
    bytes. Channels it reads with gaps. The pass exchanges rows and channels in
    front, says the same of channels there, and exchanges them again behind what
    follows element by element. Other transposes around often merge with the
    two.

    In the newer way one of the pair is in the first half of the row, one in the
    second. Halves are copied to be exchanged, which costs as much as to turn them,
    unless the values are larger than L2: no blocks of rows go through such copies.

    It knows parts of any number, ops on elements between, and operands that
    broadcast, which are turned by themselves.
  }];
  let options = [
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"h13.l2Bytes",
           "Bytes of L2">,
  ];
  let statistics = [
    Statistic<"numRegions", "regions", "Regions that work on channels">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def DeferJoins : Pass<"mil-defer-joins", "::ane::mil::FuncOp"> {
  let summary = "Join what follows from images of several sizes, not these";
  let description = [{
    A detector makes the pixels of each of its images one row, joins these rows, and
    computes boxes and scores of all pixels at once: `softmax` over the bins of a
    distance, a product of these, sums with the places of pixels, `sigmoid`. Joined,
    the values are several times as large as L2, and the engines take a row in turns
    where they take the rows of an image together. Ops behind such a join that
    compute each pixel by itself are done for each image, as an image; what others
    read behind them is made rows and joined. Constants for pixels are cut. So are
    ops behind a single image that is made one row, if its rows end within the
    memory of a row, so that they would move, no product reads what follows, and
    that does not become such images again (`mil-cancel-reshapes`).

    It does so for values of a 32nd of L2 and more, up to 8 images of at least 8
    columns, where no more elements are joined than before (all assigned). One op on
    elements alone stays behind the join where the values are less than half of
    L2.
  }];
  let options = [
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"h13.l2Bytes",
           "Bytes of L2">,
  ];
  let statistics = [
    Statistic<"numJoins", "joins", "Values that are joined later">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def CancelReshapes : Pass<"mil-cancel-reshapes", "::ane::mil::FuncOp"> {
  let summary = "Work on values as they were before reshapes that are undone";
  let description = [{
    The last dimension of a value is the rows of the engine. A norm that a program
    writes for images is given a matrix as [M, D, 1, 1] and its result becomes a
    matrix again: between the two every element is a row of its own, which takes 64
    bytes, and each reshape moves all of them. Where ops between such reshapes work
    element by element, or along dimensions that they name, they are said of the
    values without extents of 1 at the end: `layer_norm`, reductions, `softmax`,
    `concat` and `split` with the same axes, constants in the shape without them.
    Dimensions of one element between others make no difference and stay.

    A transformer has the pixels of an image in a row, [N, C, H * W] or
    [N, C, 1, H * W]. Where it convolves them, they are images before and behind,
    and every reshape between cuts rows elsewhere: values that L2 does not hold go
    through memory. What is element by element or along channels between such
    reshapes is said of the images, a convolution of one pixel too.

    It does so where fewer elements move in reshapes then. Other ops need the
    dimensions that they have; for them a result of such a region gets these back,
    and what comes from them loses them, which counts as such moves.
  }];
  let statistics = [
    Statistic<"numRegions", "regions", "Regions that have no such extents any more">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def CancelTransposes : Pass<"mil-cancel-transposes", "::ane::mil::FuncOp"> {
  let summary = "Work on values as they were before transposes that are undone";
  let description = [{
    A network of convolutions that has a norm or a product of the channels of each
    pixel moves these behind the others and back: transpose, `layer_norm`,
    `linear`, activation, `linear`, transpose. What is between becomes the same on
    the value as it was, with other axes, constants in another order, and a
    convolution of one pixel for each product, and the transposes go. It does so
    where fewer elements are transposed then: another reader of what is between, or
    another operand of it, has one of its own.

    Heads of detectors move channels behind the others to split them, compute with
    some, and join them again. Parts that begin within the memory of a row are
    copied for that, parts of another dimension are not: where no more elements are
    transposed, that is done behind the last such join.
  }];
  let statistics = [
    Statistic<"numRegions", "regions", "Regions that have no transposes any more">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def StatesToValues : Pass<"mil-states-to-values", "::ane::mil::FuncOp"> {
  let summary = "Make states inputs and outputs";
  let description = [{
    The engine keeps nothing from run to run: the host does. A state becomes an
    input that holds its content before the run and, if it is written, an output
    of the same name that holds what follows. Between, each reader gets the value
    that was written last. Whoever runs the program hands the output on to the next
    run; the two are surfaces of their own, for a task may write rows that another,
    or the window of its own next row, has yet to read. The input is marked
    `mil.state`, by which the dispatch descriptor tells it from others.

    A state that a block of `cond` or `while_loop` uses stays.
  }];
  let statistics = [
    Statistic<"numStates", "states", "States that became values">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def BuffersToTensors : Pass<"mil-buffers-to-tensors", "::ane::mil::FuncOp"> {
  let summary = "Make buffers tensors, and say at parameters and outputs how they lie";
  let description = [{
    A `tensor_buffer` is a tensor in whose layout host and program agree. Where it
    is a parameter or an output, the attribute `mil.layout` takes the place of the
    type, and `tensor_buffer_to_tensor` and `tensor_to_tensor_buffer` go. What is
    a buffer inside of the program only becomes a tensor. Outputs keep their names.
  }];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Parameters and outputs with a layout">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def UnrollRecurrent : Pass<"mil-unroll-recurrent", "::ane::mil::FuncOp"> {
  let summary = "Write recurrent layers out, step by step";
  let description = [{
    The engine has no loops. A `lstm`, `gru` or `rnn` of known length becomes the
    ops of all its steps, in every form that the ops have.

    What the steps take from the input does not depend on them: it is one
    product for the whole sequence, with the bias, of which each step reads one
    slice. A step multiplies the state by the weights of all gates at once; only
    the candidate of a `gru` whose reset gate comes before its product has one of
    its own. Gates lie side by side, each from a multiple of `gate-alignment`
    elements on, which is where the engine cuts a row without moving it. Rows of zeros fill up
    the weights between; nobody reads what they give. (1 - z) * o + z * h is
    computed as o + z * (h - o), and a sigmoid as (tanh(x / 2) + 1) / 2, with the
    half in the weights: the engine's table of tanh is four times as exact as
    that of sigmoid, and the gates of a `lstm` become one activation. Everything
    else is as the definition of the op
    says, in exact arithmetic; every op made rounds once.

    The program grows with each step. A layer of more than `unroll-limit` steps
    stays, with the limit as `mil.unroll_limit`, and is refused where layers of
    the engine are wanted. So does one whose weights are not at hand, and one with
    the activation `scaled_tanh`, which is documented as 1.7159 * tanh(2 / 3 * x)
    and measured as tanh(x).
  }];
  let options = [
    Option<"unrollLimit", "unroll-limit", "int64_t", "1024",
           "Steps of the longest layer to write out">,
    Option<"gateAlignment", "gate-alignment", "int64_t", "32",
           "Elements at multiples of which a gate starts; 32 are 64 bytes">,
  ];
  let statistics = [
    Statistic<"numLayers", "layers", "Layers written out">,
    Statistic<"numSteps", "steps", "Steps of them">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FlattenBlocks : Pass<"mil-flatten-blocks", "::ane::mil::FuncOp"> {
  let summary = "Write branches and loops without blocks";
  let description = [{
    The engine has no control flow. A `cond` whose `pred` is known becomes the
    ops of one of its blocks; of another one both blocks run, and `select`
    chooses between what they yield, to which a NaN on the other side does not
    matter. Where such a block does not run it writes into states what they have.
    A `while_loop` becomes the ops of all its turns.

    How often a loop turns must follow from constants: each condition, and what
    it is computed from of up to 1 KiB, is folded as turns are written out. A loop
    with another condition stays, as does one of more than `unroll-limit` turns,
    with the limit as `mil.unroll_limit`. They are refused where layers of the
    engine are wanted.
  }];
  let options = [
    Option<"unrollLimit", "unroll-limit", "int64_t", "1024",
           "Turns of the longest loop to write out">,
  ];
  let statistics = [
    Statistic<"numConds", "conds", "Branches without blocks">,
    Statistic<"numTurns", "turns", "Turns of loops written out">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def CheckParameters : Pass<"mil-check-parameters", "::ane::mil::FuncOp"> {
  let summary = "Refuse ops with a parameter that is not known, or is wrong";
  let description = [{
    An input that must be known at compile time may be the result of ops on
    constants. `mil-fold-constants` computes them, unless it would take more
    elements or operations than FoldLimits.h says, or nobody knows the result, as
    of random numbers. An op that has such an input in spite of that is refused
    here (`mil-sig-c1`), with the op that was not folded and its limit: the
    passes from here on read parameters, and what they replace the op with no
    longer has those. Nothing changes.

    A gather or scatter by an index that is out of bounds is refused here as well
    (`mil-index-c1`): later passes read indices and drop one that is nowhere,
    which the reference refuses.

    A parameter that is a constant whose elements are not at hand is for the
    check against the target to refuse. Rules of later passes leave ops with
    unknown parameters as they are.
  }];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def UnwrapIndices : Pass<"mil-unwrap-indices", "::ane::mil::FuncOp"> {
  let summary = "Let gathers and scatters count from the end themselves";
  let description = [{
    Programs of ios17 and later choose by `select(i >= 0, i, i + extent)`. The
    engine's gathers and scatters count from the end by themselves, and the sum,
    which must stay exact, would limit `i` to what fp16 has beside the extent. So
    they choose by `i`, and what nobody reads then goes away. With
    `validate_indices` a negative index is an error, and nothing changes.
  }];
  let statistics = [
    Statistic<"numUnwrapped", "unwrapped", "Ops with other indices">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def UnflattenIndices : Pass<"mil-unflatten-indices", "::ane::mil::FuncOp"> {
  let summary = "Make slices of known places in values made flat";
  let description = [{
    Up to ios17 there is no op for an assignment to a slice: exporters make the
    data flat, scatter the updates at known indices among all elements, and give
    the result the shape of the data again. Patches are taken of an image, and
    put together to one, by gathers of that kind. Of many elements such a row is
    longer than the engine's, and of few each gather is a product with a matrix
    of zeros and ones.

    * A `scatter` by "update" into data of one dimension, where the indices are
      a slice of the shape that the data had, or that is made of the result or of
      what else is scattered into it: the update and what is around it, joined.
      Steps may pass over elements.
    * A `gather` or `gather_along_axis` in data that was made flat, where loops
      in each other count the indices: each loop is a dimension of its own, or
      windows along one, which are slices beside each other. Up to 5 loops, and
      windows of up to 32 elements, or of so many places (assigned).

    It is in front of all that looks for slices and joins.
  }];
  let statistics = [
    Statistic<"numUnflattened", "unflattened", "Gathers and scatters replaced">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def Recognize : Pass<"mil-recognize", "::ane::mil::FuncOp"> {
  let summary = "Say in fewer ops what programs write out";
  let description = [{
    Converters write ops out that the engine has, or write a roundabout way that
    another engine needs:
    * A `layer_norm` of x and -x, concatenated along an axis of it, of which one
      half or both are read. The mean of the two is 0, so what it computes is
      x / sqrt(mean(x^2) + epsilon), and that is what it becomes, with the half
      of `gamma` and `beta`: half as many elements, and no mean to subtract. Only
      along rows that the engine has, and the channels of one image, where a task
      squares and sums: elsewhere the squares are values of fp16, which ends at
      the square of 256.
    * x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) and
      x / 2 * (1 + erf(x / sqrt(2))), in any order of products and sums and with
      numbers that are off by up to 2^-9 of them: a `gelu` of that mode.
    * A `matmul` of operands whose last two dimensions are exchanged for it, or for
      others like it: it reads them as they are. Not of a left one that has more
      elements than the result.
    * A `reshape` that parts rows which a `transpose` has made of channels, where
      parts begin within the memory of a row: anchors of a detector. Each part of the
      channels becomes a row then; of 4 columns and more (assigned), and if it is not
      transposed again. With `leave-images` not of images whose pixels were those
      of such images, of which `mil-cancel-reshapes` may make images all the way.
    * A `matmul` of a computed column and a computed row, which is a `mul`, unless
      it is added to a value of its size and L2 has room for one of them only
      (more than a quarter of it: assigned).
    * A sum, mean, maximum or minimum of what the same reduction has left of
      other dimensions, with `keep_dims`: one reduction, unless it would have to
      drop some of them and keep others.
    * i - i / n * n of integers, where the quotient is rounded down: `mod`, which
      needs no number as large as i.
    * exp(x - max(x)) / sum(exp(x - max(x))) along one dimension, or the product with
      the inverse of that sum: a `softmax`.
    * A sum of values that are padded with zeros along one dimension, where each place
      has one of them: a `concat`.
    * A `gather_along_axis` whose indices are a `tile` of one for each place along the
      axis, or of such ones for each image of a batch, perhaps cast: a `gather` by
      these, which compares as many times fewer.

    Where another op reads a value in between, all stays as it is.
  }];
  let options = [
    Option<"leaveImages", "leave-images", "bool", /*default=*/"false",
           "Leave rows of pixels that become such images again">,
  ];
  let statistics = [
    Statistic<"numRecognized", "recognized", "Ops that stand for several">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def SplitBroadcasts : Pass<"mil-split-broadcasts", "::ane::mil::FuncOp"> {
  let summary = "Multiply what is repeated once";
  let description = [{
    Networks join what they know of each pixel with what they know of the whole
    image, repeated at each pixel, and multiply both: segmentation heads with an
    image of one pixel that is resized, attentive pooling and point clouds with
    `tile`. A pointwise `conv`, or a `linear`, of such a concatenation is the sum
    of two products, of which the second has as many elements as there are
    before they are repeated: nothing is written repeatedly any more.

    The products round before they are added. Padding, groups and larger
    windows stay, as do weights that are computed, and repeated channels that
    are fewer than half of the results, which the sum would cost more than.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Products that became two">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def DeferResizes : Pass<"mil-defer-resizes", "::ane::mil::FuncOp"> {
  let summary = "Resize what pointwise convolutions give, not what they take";
  let description = [{
    Detectors and segmentation heads make images larger, join them with others
    and multiply the channels of each pixel. What a resize does is the same for
    all channels, so the convolution may come first, where there are a quarter
    of the pixels or fewer: the convolution of a concatenation is the sum of two,
    of which the second is resized. Several convolutions of one concatenation
    are one with the outputs of all.

    A resize moves each element through several tasks, and the sum reads and
    writes all results once more. So the pass weighs the channels that are no
    longer resized, and the products that are saved, against the sums. Values
    that something else reads stay as they are. The products round before they
    are resized and added.

    A transposed convolution makes images larger as well. With stride s, elements
    of its result that are s apart are those of one convolution, and these read
    the same values: one convolution with the outputs of all of them comes first,
    and the elements of the larger image are moved from its channels. That is
    done where the outputs of each alone are few for the engines, as of one that
    makes a signal of a spectrum, and gives the same numbers.
  }];
  let statistics = [
    Statistic<"numDeferred", "deferred", "Resizes behind convolutions">,
    Statistic<"numJoined", "joined", "Transposed convolutions by one convolution">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def GroupQueries : Pass<"mil-group-queries", "::ane::mil::FuncOp"> {
  let summary = "Multiply a matrix that heads share by the rows of all of them";
  let description = [{
    Attention with fewer keys than queries repeats each key for a group of heads,
    as a reshape of a `tile`, a concatenation of copies or of slices, a `gather`
    of known heads, or a `matmul` that broadcasts. The heads of a group are rows
    of one product instead: of [..., groups * members, rows, n] there is
    [..., groups, members * rows, n], with the same elements in the same order,
    and nothing is repeated. Where all keys together are repeated, the heads of a
    group come in turns: queries are regrouped by a transpose, and so is the
    result, if these are less than the matrix.

    From the second product of attention on, scores, their softmax and the masks
    between take that form as well. Masks that all heads share are repeated for
    the members of a group, unless they have one row. A product alone changes
    where reshapes of its operand and its result are cheaper than copies of the
    matrix: where there are few rows, as where tokens are generated one by one.
    Heads of more than 256 rows stay apart, unless a group has at most 1024 of
    them (assigned): scores go through L2 in blocks of rows then, and all of a
    group together are no fewer.
  }];
  let statistics = [
    Statistic<"numGrouped", "grouped", "Products of groups">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def SplitPlaces : Pass<"mil-split-places", "::ane::mil::FuncOp"> {
  let summary = "Say places among many elements by two numbers";
  let description = [{
    fp16 counts up to 2048. Where `topk`, `reduce_argmax` or `reduce_argmin` look
    through more elements, the best ones of parts are found first and the best of
    these then, in rounds, if there are many. Of more than 32, which are ranked by
    comparisons with all of their part, parts have 4 times as many elements, unless
    what the place is divided by wants longer ones. A place is the number of its
    part and the place within that part. What reads it must be one of these:

    * an op that moves integers, which moves both numbers, or chooses among them;
    * `floor_div`, `real_div` or `mod` by a known number, of which the length of
      a part is a multiple: column and row of a place in an image, the class of a
      score;
    * a `gather_along_axis`, or a `gather` of which none or all of the dimensions in
      front of its axis are a batch: it is made in each part of what it chooses in,
      and one of the results is kept.

    Where something else reads the place, such as the caller, the op stays as it
    is, and the target refuses it (`h13-place-c1`, `h13-sort-c1`). A `topk` of which
    the values alone are read needs no places.

    More than 32 of 8 times as many elements, or more, are found in parts also where
    fp16 counts them all: the fewer pairs are compared. The two numbers make one then,
    which anything may read.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Ops that look through parts">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldLoneRows : Pass<"mil-fold-lone-rows", "::ane::mil::FuncOp"> {
  let summary = "Give values of one row several rows";
  let description = [{
    A list of parameters, or of what came of them, is one row, [n] or
    [1, 1, 1, n]. An access has eight elements of it, and as many of each of
    several rows at once. So a row whose elements are computed one by one, added
    up, cut at multiples of a line of memory and joined is [n / m, m] or
    [1, 1, n / m, m], which has the same bytes. m is the largest multiple of a line
    of which there are 256 rows or more in the longest of the values that ops
    connect, and of which all their extents and cuts are multiples.

    What is connected is folded if there is a rule for the ops: reshapes of it are
    of rows without gaps, and other operands constants or one element. Another op has
    the rows that it reads or makes reshaped, if these are an eighth of the longest one
    at most (assigned), such as a bias that all tokens share. The surface of
    a parameter or result has the rows, and `mil.host_type` keeps the host's tensor.
    The values before and after a run of what was a state have the same ones.
    Where n is no multiple of a line, and all of it is computed element by element,
    the last row has elements behind the end, which nobody reads. A state has none.
  }];
  let options = [
    Option<"limit", "limit", "int64_t", /*default=*/"h13.maxWidth",
           "The most columns, and the most rows">,
    Option<"shortest", "shortest", "int64_t", /*default=*/"512",
           "The shortest row that is folded, in elements">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Groups of connected rows">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldLongRows : Pass<"mil-fold-long-rows", "::ane::mil::FuncOp"> {
  let summary = "Give long rows between reshapes two dimensions";
  let description = [{
    Programs write a group norm as a reshape to [1, groups, n], norm or
    reductions along the last dimension, and a reshape back. Where n passes the
    limit these rows need not be cut: what is computed element by element, norms
    and reductions have the same numbers on [1, groups, n / m, m], where m is a
    row of the image, so that its elements stay where they are, or the largest
    divisor within the limit. Parameters as long as the rows are reshaped alike.

    What is connected by such ops is folded if all of it starts and ends at
    reshapes and has up to four dimensions; the rest is left to
    `mil-split-long-rows`.

    So is a convolution of one window with more than 65536 channels, which becomes
    a `linear` where its result is reshaped and returned only: its channels are a
    row. `mil.host_type` keeps the type of an output.
  }];
  let options = [
    Option<"limit", "limit", "int64_t", /*default=*/"h13.maxWidth",
           "The longest row, in elements">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Groups of connected long rows, and convolutions">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FoldLongColumns : Pass<"mil-fold-long-columns", "::ane::mil::FuncOp"> {
  let summary = "Give values of too many rows one dimension more";
  let description = [{
    A value whose last dimension but one passes the limit, such as 25600 tokens
    of an image, is [..., planes, rows, columns] instead: its rows lie one behind
    the other either way. All dimensions of that extent in a function are split
    alike: into rows that a reshape makes of an image, so that its elements stay
    where they are, or that places where values are joined and cut are multiples
    of, or else into the largest ones.

    Each op on such values becomes one on what is folded: axes are counted anew, an
    axis that is folded becomes two, sums of products along it are added up plane
    by plane. Values are cut and joined at any row. An op without a rule stays as
    it is where no value of its own has too many rows.

    An image [N, C, L] has its channels there, which are no rows, and one of one
    column, [N, C, L, 1], is a long row: windows, resizing and what has parameters
    of the channels work on [N, C, 1, L], which has the same elements in their
    order. One of several columns is made some rows at a time, each block of the
    rows that its windows see. Blocks wait for the op that reads them where that
    is one alone, so a chain is computed block by block and joined at its end.

    A parameter or result of the function gets the folded type; `mil.host_type`
    keeps the one that it had. Where an op has no rule, an extent no two factors
    within the limit (unless its rows wait), or a value five dimensions already, the function stays as it
    is; `mil.unfolded_columns` is the op, its location and the type.
  }];
  let options = [
    Option<"limit", "limit", "int64_t", /*default=*/"h13.maxHeight",
           "The most rows of a plane">,
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "Functions with columns that were folded">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def JoinBatches : Pass<"mil-join-batches", "::ane::mil::FuncOp"> {
  let summary = "Multiply what one kernel multiplies as one batch";
  let description = [{
    A program that is written out for each of several pieces of sound, or for both
    of two images, has convolutions and `linear` of each with the same coefficients.
    The engine reads these for each task, and a task has a whole batch. Where such
    ops read one image each, with a first dimension of one element, and none needs
    another one's result, their images are joined to a batch. What follows from all
    images in the same way is done for the batch as well, as long as it computes
    each by itself: ops element by element, moves, reductions, norms, products of its
    matrices, and the next convolution. Where something else reads an image, such as
    a step of a recurrent layer, it is a slice of the batch.

    It does so where L2 holds what an op reads and gives, and where the bytes of
    coefficients that products wait for are more than those that are fetched to join
    what they read, which products of the same images fetch once. Products of 229
    places and more wait for none (the rates of the cost model).
  }];
  let options = [
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"h13.l2Bytes",
           "Bytes of L2">,
  ];
  let statistics = [
    Statistic<"numJoined", "joined", "Products that became parts of batches">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def FrameSignals : Pass<"mil-frame-signals", "::ane::mil::FuncOp"> {
  let summary = "Let windows of large steps read a signal row by row";
  let description = [{
    A spectrogram is a convolution of one row with windows of some hundred elements
    that are a large step apart, and mostly of a row that is mirrored at its ends.
    Made of elements, what is mirrored and joined is turned an element at a time,
    and so are the frames of `mil-decompose`, since a window does not begin where
    a frame does.

    A signal is a matrix that has a step in each row: where a step is lines of memory, a
    multiple of 32 elements, it lies so already. Columns of it are channels of a
    convolution, and a window some rows:

    ```
    conv(pad(x)) with steps of 160  ->  conv(transpose(rows of 160 of x))
    ```

    A row more than those of a window has what is in front of it in its first row,
    and behind it in its last: the coefficients are zeros there. Of a signal that
    is mirrored the rows around it are made by themselves, and zeros are padding
    of rows. Rows that are no lines are made of elements, once, where windows overlap
    and have larger steps than a task. Signals are rows of a batch, up to 16384
    steps long, and the step is no longer than the window; other windows are left to
    `mil-decompose`.
  }];
  let statistics = [
    Statistic<"numFramed", "framed", "Convolutions of rows of a signal">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def BandSignals : Pass<"mil-band-signals", "::ane::mil::FuncOp"> {
  let summary = "Run ops on long signals some columns at a time";
  let description = [{
    A signal has one row for each channel: sound, or what a network makes of it.
    The engine runs images in blocks of rows, and of a signal it would have all
    columns at a time, which go to memory and come back for each op where L2 does
    not hold them.

    Ops that hang together and compute columns from those near them, convolutions
    and all that is element by element, become ops on one band of columns, and on
    the next. A band has what windows see beside it, which is computed once more;
    values begin at lines of memory, so that what is taken of one is a view of it.
    Behind strides and repetitions a band has fewer or more columns.

    Ops are cut into regions at those with weights, which come from memory for each
    band. Bands are chosen, and regions, that take the least time by what the
    engine multiplies and memory moves; a region has no bands where that saves less
    than a tenth. A parameter is copied first where bands are taken of it, since
    columns within a row of one lose large numbers.
  }];
  let options = [
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"h13.l2Bytes",
           "Bytes of L2">,
  ];
  let statistics = [
    Statistic<"numBanded", "banded", "Regions that became bands">,
    Statistic<"numBands", "bands", "Bands of all regions">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def SplitLongRows : Pass<"mil-split-long-rows", "::ane::mil::FuncOp"> {
  let summary = "Cut rows that are longer than those of the engine";
  let description = [{
    A value whose last dimension passes the limit becomes parts of at most three
    quarters of that, of which it is a multiple if there is such a length of half of
    that or more, and each op on it an op on each part: windows take what
    they reach of the parts beside theirs, in pieces of which the scratchpad has room
    for several, reductions and softmax join what the
    parts give, norms of channels take as many of these at a time as the
    scratchpad holds, a `linear` has rows of its weights for each part, or where it
    sums over parts adds up their products. A vector in a `matmul` is a matrix of
    one row, the logarithm of a sum that of a mean, and a `slice_update` with steps
    or in several dimensions what it joins. Rows or columns that are resized with
    more weights than a constant section has room for are made in pieces, even where
    they are short.

    A parameter or result of the function becomes the surface that has the same
    bytes, [..., parts, length], with zeros behind the end of a result;
    `mil.host_type` keeps the type that it had. Where one op on long rows has no
    rule, or a row more parts than a row may have elements, or where more than
    2^24 zeros or 2 GiB of surface would be needed, the function stays as it is;
    `mil.uncut_rows` is the op without a rule and its location.
  }];
  let options = [
    Option<"limit", "limit", "int64_t", /*default=*/"h13.maxWidth",
           "The longest row, in elements; a multiple of 128">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Functions with rows that were cut">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def Decompose : Pass<"mil-decompose", "::ane::mil::FuncOp"> {
  let summary = "Express ops by others that the engine has";
  let description = [{
    An op that no layer of the engine computes, but several layers together do,
    becomes the ops that say so: `reduce_min` the maximum of the negated input,
    negated. The last of them takes over its names. Each rule holds in exact
    arithmetic; every op it makes rounds once, as one of the program would.

    An op stays as it is where the rule needs a constant that is computed, and
    on values without elements. So does a `slice_update` with steps along the last
    of several dimensions that is as cheap as a product with zeros and ones. The
    shapes of all values must be known.
  }];
  let statistics = [
    Statistic<"numReplaced", "replaced", "Ops that others stand for">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

def Partition : Pass<"mil-partition", "::mlir::ModuleOp"> {
  let summary = "Cut functions into segments of the engine and of the processor";
  let description = [{
    What the engine cannot run need not keep the rest from it. A function with an
    op that falls out becomes functions `<function>_0`, `<function>_1`, ... which
    run one after the other: some on the engine, each a dispatch, and between
    them some on the processor (`mil.segment` says which). Parameters and results
    of the same name are one tensor of the host.

    A dispatch costs more than most ops, so the cuts are few: both kinds of
    segment alternate, each op is in the earliest segment of its kind that its
    operands allow, and the first segment is of the kind that makes fewer.
    Constants are copied to every segment that reads them; what nothing reads is
    left out. A segment of the engine that would only move elements goes to the
    processor, and so does an op that would take integers from another segment:
    the engine holds them as fp16, and how large they get is known within a
    function only. What makes integers of integers for the processor alone is on
    the processor, where they have no limit.

    A segment of the engine with more than `max-ports` inputs and outputs becomes
    several that follow each other, where no integer must cross between them.

    ane-compile decides by its own refusals what falls out. As a pass it takes
    the names of ops.
  }];
  let options = [
    ListOption<"cpu", "cpu", "std::string", "Ops that fall out, such as cumsum">,
    Option<"maxPorts", "max-ports", "size_t", "0",
           "Inputs and outputs of a segment of the engine; 0 is no limit">,
  ];
  let statistics = [
    Statistic<"numEngineSegments", "engine", "Segments of the engine">,
    Statistic<"numCpuSegments", "cpu", "Segments of the processor">,
    Statistic<"numCpuOps", "cpu-ops", "Ops on the processor">,
    Statistic<"numCrossing", "crossing", "Values that leave a segment">,
  ];
  let dependentDialects = ["::ane::mil::MILDialect"];
}

#endif // ANE_MIL_PASSES_TD
