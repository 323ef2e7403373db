//===- ZinPasses.td - Passes on layers and tasks --------------------------===//

#ifndef ANE_ZIN_PASSES_TD
#define ANE_ZIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def RefineSigmoid : Pass<"zin-refine-sigmoid", "::ane::zin::ProcedureOp"> {
  let summary = "Compute sigmoid, silu and gelu by closer tables";
  let description = [{
    The engine's table of sigmoid is off by up to 0.0034: its knots are the
    function itself, half of one apart, so that the lines between them are off to
    one side. Those of silu and gelu are off by up to 0.015 and 0.006, near 0 by
    as much as the functions themselves (all verified: they are tables of real
    programs). One after another, on small numbers, layers of them are off by
    several percent.

    A table of our own for `sigmoid` has knots 4 / 11 apart, between which its
    lines are off to both sides alike, by 0.0012 with the rounding. `silu` is x
    times that, and `gelu` x times a table of what part of x it is, for a task
    more: the error is then a part of x.

    ```
    silu(x)  ->  x * sigmoid(x)
    gelu(x)  ->  x * (1 + erf(x / sqrt(2))) / 2
    ```

    A sigmoid that the program returns is a probability, of which small ones
    matter as much as large ones: beside 0.002 an error of 0.0012 is no answer. It
    is computed from its definition, which is off by a small part of each result,
    for a task more. So is a silu that is returned: of -6 it is -0.015, and the
    error of a table is a tenth of that.

    ```
    sigmoid(x)  ->  1 / (1 + 2^(-x * log2(e)))
    silu(x)     ->  x / (1 + 2^(-x * log2(e)))
    ```

    Gelu's approximation by tanh differs from that by up to 0.0005 and gets the
    same. Both tables are assigned; a newer compiler than that of the real
    programs of this engine is documented to compute sigmoid more closely too,
    with a task more (one half, and an odd table of the rest).
  }];
  let statistics = [
    Statistic<"numRefined", "refined", "Activations replaced by tables">,
    Statistic<"numInverted", "inverted", "Sigmoids and silus by an inverse">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def FuseEpilogue : Pass<"zin-fuse-epilogue", "::ane::zin::ProcedureOp"> {
  let summary = "Fuse bias and activation into convolutions and products";
  let description = [{
    The neural engine adds a bias and applies an activation before it rounds a
    result once. A constant per-channel addend behind a convolution or a matrix
    product becomes its bias, an activation behind it becomes its activation,
    if nobody else reads the value in between. Activations and products with one
    number move in front of reshapes and transposes for that, and two clamps in a
    row become one. A clamp moves in front of a maximum of windows, which is the
    same, if the layer there takes it. A relu of what is never negative goes.

    A product with one number becomes the scale behind the sums of the layer,
    which costs no rounding at all. A layer of Apple's compiler absorbs one
    activation or one such product (documented). Here it has both: the engine
    scales before it applies an activation (verified for a table without sums,
    assigned for others). A positive scale behind relu becomes one as well. An
    exponential with a scale stays a layer: passes behind this one look for it.

    A product with one number in front of a layer with a constant kernel, that
    nobody else reads, becomes such a scale after that: the scale of what was
    quantized, or of pixels. The bias is divided by it, and rounded as a
    coefficient is, unless the coefficients can take the scale without: integers
    stay integers. So that sums are not infinite that were not before, the kernel
    is multiplied by a power of 2 and the scale divided by it, where the sums of
    what is clipped are not known to be small: the largest power that is enough,
    and by which no coefficient is rounded or taken as 0. An offset behind a clamp
    moves into it.

    A clip of `x * scale + bias` to [0, 1] is a hard sigmoid with that line. A
    hard sigmoid takes an offset in front of it as the bias of a sum of one (a form
    that is verified for another table), unless denormal numbers, which a sum takes
    as 0, would be seen beside it.
  }];
  let statistics = [
    Statistic<"numBiases", "biases", "Addends fused as bias">,
    Statistic<"numScales", "scales", "Products fused as scale">,
    Statistic<"numInputScales", "input-scales",
              "Products in front of layers fused as scale">,
    Statistic<"numActivations", "activations", "Activations fused">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def ScaleKernels : Pass<"zin-scale-kernels", "::ane::zin::ProcedureOp"> {
  let summary = "Keep small coefficients from becoming 0";
  let description = [{
    Sums of products take coefficients below 2^-14, the denormal ones, as 0
    (measured). A mean over 20,000 numbers that is written as a product, or a
    basis of a Fourier transform with its window, would lose some or all of what
    it has.

    Where an output would lose more than a thousandth of its coefficients, by
    their length (assigned), the kernel and the bias are multiplied by a power of
    2, and the scale behind the sums of the layer is divided by it:

    ```
    conv(x, w) + b  ->  (conv(x, w * 2^n) + b * 2^n) * 2^-n
    ```

    No coefficient is rounded. The power is the least that is enough, and no
    coefficient becomes larger than 1 (assigned), so that sums are not larger
    than those of other kernels. Where that is not enough, as with outputs whose
    coefficients are all tiny beside others that are not, the layer stays as it
    is.
  }];
  let statistics = [
    Statistic<"numScaled", "scaled", "Layers with larger coefficients">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def WeighMeans : Pass<"zin-weigh-means", "::ane::zin::ProcedureOp"> {
  let summary = "Take means without large sums";
  let description = [{
    A sum of 32768 or more is infinite (measured), and a pool multiplies the sum of
    its window by the reciprocal of the divisor: four elements of 8192 have no mean.
    So a mean of windows becomes a convolution of each channel for itself. Its
    coefficients are all one power of 2, by which no bit is lost, so small that no
    sum passes the limit; the rest of the divisor is its scale, as it was that of
    the pool. A window of a whole plane is a reduction, which the planar engine sums
    without a limit. A product with one number behind a mean of windows joins that
    scale, and an activation behind it is that of the convolution.

    The results of a product with a constant whose coefficients are not negative
    and add up to 1 for each output are means as well, such as pixels between
    others: up to 65504, of sums that are infinite from 32768 on. Its coefficients
    are divided by a power of 2, mostly 2, and its scale multiplied by it, unless
    a coefficient becomes denormal.

    Windows of more columns than those of a kernel stay, and so does what
    `zin-legalize` has not yet given one divisor.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose kernels may be as large">,
  ];
  let statistics = [
    Statistic<"numWeighed", "weighed", "Means without large sums">,
    Statistic<"numFused", "fused", "Products and activations behind means">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def FuseReduction : Pass<"zin-fuse-reduction", "::ane::zin::ProcedureOp"> {
  let summary = "Fuse squares, an epsilon and a root into sums and means";
  let description = [{
    Norms that a program writes out layer by layer become what the planar engine
    has as one task: a product of a value with itself in front of a sum or a mean
    is `square`, a positive factor behind it `scale`, an addend that is not
    negative `epsilon`, and 1 / y or 1 / sqrt(y) behind that `post`, if nobody else
    reads the value in between. An inverse behind a root is one function.

    Squares and sums are not rounded in between, so that squares of more than
    65504 do not become infinite, and roots do not come from a table. Then
    `x - mean` with its deviation is the pattern that `convert-zin-to-tasks` knows.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Layers fused into reductions">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PartNorms : Pass<"zin-part-norms", "::ane::zin::ProcedureOp"> {
  let summary = "Take norms of large groups of channels channel by channel";
  let description = [{
    A norm needs the mean of its group before the deviation, and both before any
    result. Of a group that takes more than a quarter of L2 (assigned), as the
    32 groups of an image have in decoders, each of these goes through memory as a
    whole, and so does the difference between them. A part of a group, which is a
    channel or as many rows of it as a quarter of L2 holds, has a mean and a
    deviation of its own, for which it is read once, and the group has both from
    them:

    ```
    mean(x)          ->  m = mean of mean(part)
    mean((x - m)^2)  ->  mean of (mean((part - mean(part))^2) +
                                  (mean(part) - m)^2)
    ```

    So there are numbers of each part, the mean and the inverse of the root of
    the mean square, which fp16 holds where it would not hold the squares. Those
    of groups become two rows with numbers for each channel, which one task of the
    planar engine applies. `zin-split-layers` takes some parts at a time, and some
    channels with what follows the norm. Twice the image is read and once written.
    Means are rounded once more than before.

    Groups that half of L2 holds stay whole where what reads the norm, but for a
    scale and an offset of channels, is no layer that goes element by element:
    then L2 has room for one, and the image is read once.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose L2 groups are too large for">,
  ];
  let statistics = [
    Statistic<"numParted", "parted", "Norms taken channel by channel">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PartProducts : Pass<"zin-part-products", "::ane::zin::ProcedureOp"> {
  let summary = "Make products of operands that L2 does not hold sums of products";
  let description = [{
    A product with a constant kernel has all that it contracts of a column in L2. Of
    128 columns of 8192 numbers, as a feed-forward layer has in front of its last
    product, L2 holds half, and for each half all coefficients come from memory:
    67 MB instead of 34. Where memory is what takes the time, and this saves enough
    of it (12 %, or 30 % where L2 does not hold the sums beside a part; assigned),
    the pass makes it the sum of products of parts of what is contracted:

    ```
    w * x  ->  w[:, :k] * x[:k] + w[:, k:] * x[k:]
    ```

    Each coefficient comes once then. A part, and the sum of those before, are
    rounded to fp16 before they are added.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose L2 operands are too large for">,
  ];
  let statistics = [
    Statistic<"numParted", "parted", "Products that are sums of products">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def FoldLayout : Pass<"zin-fold-layout", "::ane::zin::ProcedureOp"> {
  let summary = "Remove layers that only move elements";
  let description = [{
    Exporters put transposes around every layer whose layout differs from the
    model's, and most of them undo each other. Here

    * transposes in a row become one, or none;
    * a transpose that moves no element, beside a reshape, vanishes in it;
    * a transpose goes behind an activation, a scale, or an element-wise layer
      whose other operand has the same transpose, and behind one whose other
      operand is constant, if another transpose follows;
    * reshapes before and behind element-wise layers go if they undo each other;
    * a view of everything, a view of a view, a concatenation of one value and
      a scale by one go, and views that follow each other in one value are
      joined as one view of it;
    * a concatenation that begins, ends or goes on as another one does has that
      one as a part, and need not be made of copies;
    * views of a transpose, of which some begins within the memory of a row, so
      that it needs a copy, are transposes of views, if together they have no more
      elements than it;
    * a view that lies within one of several values that were joined plane by
      plane is a view of that one, and what is joined anew of such views is joined
      of those values;
    * rows that a program makes begin one element later each, by a column in front
      and reshapes, as for scores of relative positions, are a view of rows between
      two transposes that make each element one;
    * reshapes and transposes that follow each other, as those that make patches
      of an image, are a move of rows of a dimension that they leave whole, such as
      channels, with a transpose in front that lays it along the columns and one
      behind, where it is elsewhere. That is done where fewer tasks turn elements
      (by estimate), and for dimensions of at least 16 (assigned);
    * views of one value with the same columns, which begin within a row of memory
      or are some apart, so that they need a copy, are views of one copy, from the
      first row of all of them to the last, if that has fewer elements than all
      copies have: the windows of a cost volume are such;
    * an activation of what convolutions and products alone compute, and reshapes,
      transposes and concatenations move, goes in front of these moves, where it
      is no layer of its own. `silu` and `gelu`, which are times their operand,
      stay.

    No number changes. A transpose that leaves the columns alone is a view and
    costs nothing, so it is not made a reshape where that gains nothing: a
    reshape may need its operand packed.
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "Layers removed">,
  ];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose rows of memory columns begin in">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def FoldScale : Pass<"zin-fold-scale", "::ane::zin::ProcedureOp"> {
  let summary = "Fold constant scales and offsets into coefficients";
  let description = [{
    A product with one constant for each output behind a convolution or matrix
    product with a constant kernel is that layer with another kernel and bias;
    so is `x * scale + bias` with a bias that is not 0, and a sum with constants.
    The tasks for them go, and the roundings in front of them. Reshapes,
    transposes and joins may be in between: each layer takes the numbers of its
    outputs, as far as they are the same for all that an output moves to. An
    activation behind a join goes in front of it then, to these layers.

    What follows one another is computed as one scale and one offset, from the
    coefficients that the layer came with. A coefficient is multiplied in fp32 and
    rounded once, to nearest even. That is off by at most half a unit in its last
    place, as it was before. A layer stays as it is if a folded number would be
    32768 or more, from where on sums are infinite, or if of the coefficients of an
    output those that would be denormal, which the engine takes as 0 in sums, are
    more than rounding takes from the others. What has an activation stays, and so
    does what somebody else reads. A kernel that came as a palette stays one, or
    the palettes that tasks with some outputs each have, where a number for each
    output would make it larger by more bytes than a task reads and writes that
    scales the results.

    A scale of one number alone is left to `zin-fuse-epilogue`, which rounds no
    coefficient; several are one. Where a kernel has to stay as it is, such a scale
    comes behind its sums here, too, and the bias is divided by it and rounded,
    unless it would take more than a 32nd of what sums may be (assigned).

    Where no layer is in front, a scale and an offset for each channel are a
    convolution with a window of one element, each channel for itself: one task
    that rounds once, which takes an activation as well. `zin-fuse-epilogue` gives
    it the offset.

    A scale and an offset for each channel, or one of both, that layers with
    coefficients of their own are all to read, if need be behind moves, go into
    these: each coefficient is multiplied by the scale of its channel, and a bias
    takes what the offset adds to the sum, unless padding, which is 0, would be
    beside it. A norm ends so. That costs two tasks less, and as many roundings.
    What a layer in front can take is left to it; a scale of more than 8 stays
    (assigned), by which the denormal numbers that products lose would count for
    more, and so do those of few elements, fewer than one for 32 coefficients
    (assigned).

    ```
    matmul(norm(x) * scale + offset, w) + b  ->  matmul(norm(x), w * scale) + (b + w * offset)
    ```

    A clip that begins at 0 and a scale that brings its end to 1, also behind a
    product with something else, are a hard sigmoid, a table whose line has that
    slope. Hard swish is written that way:

    ```
    x * clip(x + 3, 0, 6) / 6  ->  x * hard_sigmoid(x + 3)
    ```
  }];
  let statistics = [
    Statistic<"numFolded", "folded", "Products and offsets folded">,
    Statistic<"numInputs", "inputs", "Scales and offsets in front folded">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def ScaleSoftmax : Pass<"zin-scale-softmax", "::ane::zin::ProcedureOp"> {
  let summary = "Scale probabilities that a product would take as 0";
  let description = [{
    The engine takes denormal operands of products as 0 (measured). Of many
    probabilities most are so small: of 8,192 a product with values lost 1.3 %,
    of 16,384 more than 40 %. Where more than 1,024 (assigned) go to products, as
    they are or in another place, they are multiplied by a power of 2 that grows
    with their number, and the products divide their sums by it. That is exact
    unless values of more than 32,768 over that power meet: up to 2^4 for 16,384
    of them.

    A softmax and a product have a factor at hand, so that is no task more. A
    softmax of longer rows, or one that a program writes out, consists of
    exponentials over the sum of their sums: the sums are divided, which keeps
    those of more than 65,504 within fp16, too. Behind a mean of windows, and for
    other readers, a layer divides. A product with a bias and one of
    probabilities with each other stay as they are; `--report` names them.
  }];
  let statistics = [
    Statistic<"numScaled", "scaled", "Softmaxes scaled">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def MergeConstants : Pass<"zin-merge-constants", "::ane::zin::ProcedureOp"> {
  let summary = "Keep one of several equal constants";
  let description = [{
    Constants of the same type and with the same bits become one, wherever the
    bits came from: weight files hold equal tensors several times, and folding
    makes more. Layers that differ in nothing else are then merged by `zin-merge-layers`.
    Constants that nobody reads go.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Constants removed">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def MergeLayers : Pass<"zin-merge-layers", "::ane::zin::ProcedureOp"> {
  let summary = "Keep one of several equal layers";
  let description = [{
    Layers with the same operands and attributes become one, and layers that
    nobody reads go, by MLIR's `cse`. It is asked only where two layers of a kind
    read the same, or one has no reader: else there is none to merge.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Layers removed">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def KeepKernels : Pass<"zin-keep-kernels", "::ane::zin::ProcedureOp"> {
  let summary = "Keep coefficients of many products in the scratchpad";
  let description = [{
    Coefficients stream past the scratchpad, so that each product reads its
    kernel from memory, which for few rows takes most of its time. Operands stay
    there. Where several products of rows have one constant kernel, as the steps
    of a recurrent layer, be it an op or written out, it becomes the left matrix
    of all of them, which goes to L2 once, and the rows are the kernel:
    `y^T = w x^T`.

    That is weighed: what memory needs for the coefficients, compressed ones
    being fewer, against products that leave most engines idle where there are
    few rows, rows that go through memory as kernels do, a sum of its own for a
    bias, a table of its own. L2 has four fifths for it, less what is alive
    meanwhile and read more often for its time there; what is read less often and
    finds no room any more is counted as written and read. Where not all outputs
    find room, the first ones do, and the product of the others reads theirs from
    memory. What saves most for its bytes comes first.

    A bias that the products share goes to the product that their results are
    added to, if that is read nowhere else, as that of the input of a step; else
    it is added where parts of a result are read, and only where it is not 0.

    Coefficients below the normal numbers of fp16 are 0 in an operand, so that is
    not done where they are much of an output.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to keep for">,
  ];
  let statistics = [
    Statistic<"numKept", "kept", "Kernels of which some or all outputs stay">,
    Statistic<"numProducts", "products", "Products of them">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def Legalize : Pass<"zin-legalize", "::ane::zin::ProcedureOp"> {
  let summary = "Rewrite layers the engine has no form for";
  let description = [{
    * A kernel beyond 29 rows or 13 columns, dilation included, becomes several,
      whose results are added up. Of those that begin within a step of a row the
      input is turned once.
    * A dilated kernel of one row whose taps are lines of memory (64 bytes) apart
      becomes one of rows: columns that far apart are below each other where the
      input has rows of as many columns, and no element moves.
    * Another kernel of one row that has too many columns, or zeros between its
      taps, reads the input several times, each copy so many taps ahead of the
      one before: as more channels, or as rows of groups that have as many
      products as rows take to be accessed. Taps that see padding alone are left
      out. L2 has room for the copies of some columns, or of some groups, which
      are computed at a time; that is done where it takes a tenth less time, by
      estimate, than zeros or sums (assigned). Groups of fewer products, such as
      those of one channel, are parted alike where L2 does not hold what is added
      up, and each part is a sum.
    * More than 16 rows or columns of padding in front of a convolution become
      zeros in front of its input.
    * A dilated kernel becomes a larger one with zeros between its elements:
      there is no dilation register. Rows are spared that where they have no
      stride: every n-th row of the result needs every n-th of the input, and
      tasks can step over the others. Not rows of a kernel for each channel where
      products with zeros take no longer than an element does that the planar
      engine makes (assigned): blocks of rows go through such a convolution. A
      procedure that gets zeros is marked `zin.sparse`.
    * A convolution with a stride above the two bits of the stride register may
      read frames, which are as long as the stride or the part of it that a task
      lacks: their elements that windows see are channels. Rows of frames are
      views of every n-th row; columns are turned to be channels, of which every
      n-th is a view, and turned back. L2 has room for the frames of some windows,
      which are computed at a time, or joined if the kernel is large. That is done
      where it takes a tenth less time, by estimate (assigned). Zeros behind the
      last tap mark the procedure `zin.sparse` as well.
    * Any other such stride becomes its largest factor below and a view of every
      n-th result.
    * An activation behind convolutions in parts is that of each part.
    * An average whose divisor is not the same for all windows becomes a sum of
      each window times a constant map.
    * A convolution of which L2 does not hold the rows of one window becomes
      several with parts of the channels, whose results are added up, or stand
      side by side where groups keep them apart. One without neighbours stays:
      tasks take some columns of it.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to rewrite for">,
  ];
  let statistics = [
    Statistic<"numRewritten", "rewritten", "Layers rewritten">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def TurnScores : Pass<"zin-turn-scores", "::ane::zin::ProcedureOp"> {
  let summary = "Put the scores of a query in a row";
  let description = [{
    Programs that were written for the engine have images of one row, with heads
    or keys along channels: the scores of a query are a column, or lie along
    channels, and the softmax is along these. Where L2 holds the scores of a head
    that is as good. Where it does not, `zin-split-attention` takes rows of queries at a time,
    so the product that makes the scores turns them, as it can at no cost:

    ```
    v x softmax_keys(k x q)  ->  v x softmax_W(q x k)
    ```

    Between the products are layers that go element by element, and transposes,
    or reshapes where there are several images, that put rows in the place of
    channels, which vanish. What else such a layer reads, as a mask, is turned.
    Every number is computed as before.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose L2 scores are too large for">,
  ];
  let statistics = [
    Statistic<"numTurned", "turned", "Softmaxes whose scores were turned">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def SplitAttention : Pass<"zin-split-attention", "::ane::zin::ProcedureOp"> {
  let summary = "Compute attention by matrices and blocks of rows";
  let description = [{
    Both products of attention, the softmax over columns between them and the
    element-wise layers there are done for some matrices of the batch at a time, or
    for a block of rows of one:

    ```
    softmax(q x k) x v  ->  concat of softmax(q[rows] x k) x v
    ```

    The scores, one for each query and key, and what a softmax makes of them, are
    values of the size of their product. Where they do not fit L2 they go through
    memory several times, though all that is needed of them is a weighted sum for
    each query, and a query needs no other query's scores. Every number is computed
    as before.

    **How large blocks are.** Scores of matrices take a quarter of L2, those of
    rows, of which each block reads keys and values again, a third, and both a fifth
    where something is added to them (assigned). Matrices of a block are neighbours
    in each form of the batch, as all heads of several windows.

    **What is cut**

    * Scores may be parted between the products by the rows and columns of an image,
      a plane for each query, to which relative positions are added: a block of rows
      is as many planes.
    * Few queries have small scores, but are the kernel of their product, of whose
      other operand the rows become columns: keys of all matrices that are turned
      to memory, since they do not fit L2, are read again from there. Some matrices
      at a time, whose keys fit, need not.
    * Blocks of rows read keys and values again, which are turned once if a product
      needs that. Where that would be more than scores moved, eight times for each
      of a block, the attention stays as it is.
    * A value in between that something else reads as well ends what is cut, and so
      does a product with a constant.
    * Where both operands of a layer are computed, as where a bias comes from
      relative positions and a mask, the scores are the one that a product of
      matrices leads to, and blocks read a part of the other.
    * A block of one matrix reads keys that are repeated for several heads from what
      is repeated.

    **Heads of several images** are matrices of one batch behind reshapes, which
    would be copies: images and heads are not one distance apart. Blocks of an image
    with several heads are taken from in front of these, and their results joined
    behind them. Where an operand of an image takes as long to move as 16 tasks that
    do nothing (assigned) blocks have heads of one image, also where all scores fit
    L2.

    **A mask that is added for all heads** would come from memory for each.

    * It is copied, so that L2 has it for all blocks, where fetching it takes longer
      than adding it and there is room beside the blocks.
    * Where there is not, the same rows of several heads come one after the other
      and read a copy of these rows, as many heads as there is room for keys; but
      not if two such operands are added.
    * Of a mask that several layers read there is one copy in front of all of them,
      or none if it is computed, where L2 has room for it from the first to the last
      beside most of what lies between them; else each has its own, since the mask
      would lie in memory.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to split for">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Attentions split">,
    Statistic<"numBlocks", "blocks", "Blocks of all of them">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def TurnProducts : Pass<"zin-turn-products", "::ane::zin::ProcedureOp"> {
  let summary = "Let products hand turned matrices to each other";
  let description = [{
    A product writes its outputs along channels and reads what it contracts along
    channels, so between two products a matrix would be turned back and turned
    again. Where one reads what the other has written the lowering leaves it as it
    is; here that reaches through the ops of one element in between, such as
    activations and gates:

    ```
    a = x * k; b = x * l; matmul(silu(a) * b)
    ```

    The products in front then have their outputs on rows, and those behind
    contract rows. All that reads such a value must be among them. Transposes
    of rows and columns at either end vanish: what they hand over is turned as
    well. A product that reads a matrix which is turned for others, too, reads
    it as it was before.

    A convolution of one row with a window of one element, whose result is turned,
    is a product here: that has its outputs along columns for nothing.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"",
           "Target whose rows may be as long">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups",
              "Groups of ops between products and transposes">,
    Statistic<"numTurned", "turned",
              "Products that read what is turned for others as well">,
    Statistic<"numProducts", "products",
              "Convolutions whose result is turned">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def SplitLayers : Pass<"zin-split-layers", "::ane::zin::ProcedureOp"> {
  let summary = "Compute layers that keep a dimension apart block by block";
  let description = [{
    Layers that keep the indices of a dimension apart are computed for a block of
    these indices at a time, so that L2 has what lies between them:

    ```
    x - mean(x)  ->  concat of x[rows] - mean(x[rows])
    ```

    Without blocks, values of more than a quarter of L2 (assigned) go through
    memory between layers that each need all of one: means and deviations over
    time of many channels, a softmax with what is around it, a gated product of
    many hidden channels. Every number is computed as before.

    **What is cut**

    * The dimension may be any, and another one behind a reshape, a transpose or
      a product: a group of a norm is some channels behind the reshape that joins
      groups.
    * A layer that needs results of all blocks ends what is cut, and so does what
      is computed from it.
    * Blocks of the outputs of a layer with coefficients have the coefficients of
      these outputs. Blocks of what it computes them from need all coefficients
      again each time. So layers are cut in parts, each from one layer with
      coefficients to another, or behind one that others read, and with blocks of
      its own size, where all parts together save most.
    * What is cut is found around a layer, and again around each layer that is cut
      so, for blocks of each dimension. What saves most is taken.
    * Layers that `zin-tile-rows` can cut, which keep rows apart, are left to it
      if there are no others among them and half of L2 has room for eight rows of
      each, or sixteen of what computes with numbers of channels (assigned):
      blocks of fewer take longer to access. Where an image's channels become the
      columns of an output, the exchange keeps rows and is left to `zin-tile-rows`
      like the layers in front of it.

    **What blocks read**

    * What comes from outside is a view of the block, copied to L2 if several
      tasks read it, but for convolutions that all need the same rows: the first
      one leaves them there (`zin-place-l2`), and computes while they come.
    * Operands that are the same for all blocks may take half of L2 (assigned),
      and are copied there if they are a part of what is in memory.
    * The window of a convolution needs rows beside those of its block, which the
      layers in front compute once more, at most a quarter of a block (assigned);
      what others read as well of such a layer is copied.
    * Columns of a parameter that begin within a row lose large numbers. Those of
      a signal, which has one row for each channel or is a single channel, are
      copied to L2 as rows of 32 columns, where they are columns again; other
      parameters are not cut along columns. The copies have to save a quarter more
      than blocks of another dimension (assigned).
    * Slices of a volume are joined with padding in front and behind, and blocks
      take some of them. Each block then is a part of the volume, and only those
      at its ends are joined anew, if they are a quarter of all or fewer
      (assigned): the volume is not copied.

    **How large blocks are**

    * What lives at a time of a block takes a quarter of L2, or up to 90 % where
      that moves fewer bytes by a tenth (assigned). With the exponentials of a
      softmax, which are there while it runs, it takes 90 % at most.
    * There are up to 64 blocks, or 256 of whole planes (assigned).

    **When it pays**

    * Layers are cut where an estimate of all bytes falls by more than an eighth
      (assigned).
    * Without blocks, what lies between layers that go element by element, and that
      `zin-tile-rows` can cut, moves nothing in the estimate. With blocks of more
      than three eighths of L2 (assigned) it counts as written and read if its
      channels are added up as well: turned copies of it pass through L2 meanwhile,
      so that it may not stay.
    * A concatenation whose parts are written where they lie in it moves nothing,
      and is not cut in front of all other layers or behind them.
    * Results for layers behind the blocks move, however small each is, if all of
      them are more than half of L2 (assigned): they are there together.

    **Resizes.** Of a product along rows of which each output weighs at most a
    sixteenth (assigned), as in a resize, a block of outputs needs a band of rows.
    Each block makes these with a product along columns in front of it, if nobody
    else reads that, and if it makes none more than four times on average
    (assigned). Fewer rows of each channel than a patch has pixels are rows of one
    matrix. Blocks of another dimension have to save an eighth more than those of
    such a product (assigned), which comes before the layers around it. As many
    rows as L2 has banks are accessed at a time; what blocks of fewer rows lose
    counts, too.

    **Feed-forward layers.** The last product contracts all that is computed of a
    block, which has to be in L2. The product in front, and functions of its
    outputs such as a gate, need not be: where blocks of columns then save a tenth
    more (assigned), they run a sixteenth of the outputs at a time (assigned), 64
    or a multiple of it (assigned), and L2 holds such a part of what lies between
    them.

    A long signal is read as an image by products of its columns, in rows that
    `zin-tile-rows` can cut, while functions have its columns still: no block goes
    through both. The products of a feed-forward layer read columns again if blocks
    then run a part of the outputs at a time. The layers in front of them are tried
    so; where no region has such parts, rows are better and products keep them.

    **Batches.** Blocks may be images of a batch. One that L2 does not hold goes
    through all layers as well, since `zin-tile-rows`, which needs a single image,
    cuts its rows then: in the estimate coefficients come for each image and for
    each half of L2 that their layer reads or writes of it, and what a layer that
    does not cut rows reads or writes of it moves. Such parts have up to 32 layers
    with coefficients, others up to 12 (assigned). Columns are joined for each
    image, not for blocks of another dimension. Groups of these layers that each
    have blocks of another dimension, as norms of groups have, are taken where they
    save more together.

    **Larger images.** An image that is made larger by copies of its columns and
    rows, of which half of L2 has no room for eight rows (assigned), is so in parts
    of 64 channels (assigned), of which `zin-tile-rows` has blocks of more rows: an
    access takes as long for a few.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to split for">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Groups of layers split">,
    Statistic<"numBlocks", "blocks", "Blocks of all of them">,
    Statistic<"numParted", "parted",
              "Products of blocks that run a part of the outputs at a time">,
    Statistic<"numJoined", "joined", "Products of images that read columns">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def DropDeadTasks : Pass<"zin-drop-dead-tasks", "::ane::zin::ProgramOp"> {
  let summary = "Remove tasks whose results nobody needs";
  let description = [{
    A task is needed if it writes an output, or a buffer that a needed task reads
    behind it. The others go, and with them what they alone used: kernels,
    constants, scratch. Inputs and outputs stay, since callers know them.

    Layers that nobody reads are gone before there are tasks, and copies that move
    nothing are layers that `zin-fold-layout` takes away, so that it is IR which
    comes as tasks that may have some.
  }];
  let statistics = [
    Statistic<"numDropped", "dropped", "Tasks whose results nobody needs">,
  ];
}

def CompressKernels : Pass<"zin-compress-kernels", "::ane::zin::ProgramOp"> {
  let summary = "Store coefficients as palettes or without their zeros";
  let description = [{
    A program whose weights came as palettes or sparse (`zin.palettized`,
    `zin.sparse`) keeps them so in the container, and one whose dilated kernels
    got zeros has these without: the engine unpacks both while it fetches them,
    palettes 2.4 times and kernels with 63 % zeros 1.6 times as fast as fp16
    (measured). Weights of int8, and in blocks, are fp16 by now and stay so, as
    Apple's compiler has it (measured).

    The choice changes no number. A kernel with at most 16 different weights
    becomes indices of 4 bits, with at most 256 indices of 8 bits (documented);
    one with at least half zeros loses them. The smallest form is taken, dense
    where nothing is smaller. Kernels of which folding made more different numbers
    stay dense. A kernel is that of a task: which outputs share one, so that their
    palettes fit, `convert-zin-to-tasks` decides.

    A window that steps by 2 in both directions always comes without zeros, as
    in all real programs (verified): the engine takes its taps by odd and even
    rows and columns, and the order of a dense kernel of that kind is not known.
  }];
  let statistics = [
    Statistic<"numPalettes", "palettes", "Kernels stored as palettes">,
    Statistic<"numSparse", "sparse", "Kernels stored without zeros">,
    Statistic<"numStrided", "strided", "Kernels so stored for their strides">,
    Statistic<"savedBytes", "saved-bytes", "Bytes saved, before alignment">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def ShareStates : Pass<"zin-share-states", "::ane::zin::ProgramOp"> {
  let summary = "Let states be written where they lie";
  let description = [{
    A state that is written is an input and an output. After this pass both are
    one surface: each task that reads an element of the state comes before the
    one that writes it, or is the same and computes element by element. The
    input is marked `shared`. So what would be copied to where it lies needs no
    task: of a cache of which a row is new, that row alone is written.

    Tasks change places only where they have to. A state for which there is no
    such order, because what is read of it needs what was written, is computed
    in a buffer of its own and copied when nothing reads the state any more.
    That its surface is one for both is assigned.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to copy for">,
  ];
  let statistics = [
    Statistic<"numShared", "shared", "States whose surfaces may be one">,
    Statistic<"numCopied", "copied", "Those that are copied at the end">,
    Statistic<"numErased", "erased", "Copies of what lies there already">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PlaceL2 : Pass<"zin-place-l2", "::ane::zin::ProgramOp"> {
  let summary = "Keep values in the scratchpad between tasks";
  let description = [{
    What fits stays in the 2 MB of L2. Memory is the engine's bottleneck: a layer
    that reads and writes it waits for it most of the time.

    **What stays**

    * An intermediate value is written there and read there, and in memory only
      where it is read as coefficients, which come from memory.
    * An input or a constant that is read more than once, by several tasks or by
      one whose outputs take several passes, is fetched once and kept.
    * Of what finds no place so, a view is fetched once and kept that tasks close
      to each other read, up to 24 apart (assigned): the parts of a layer with many
      coefficients, or the heads of a detector.
    * What more than `max-tasks` tasks would have there does not stay. Programs that
      long may have thousands of values from one end to the other, of which L2 holds
      few, and each would be looked for a place at each task.

    **Which place.** Values are taken in the order of the bytes of DMA that they
    save for each byte of L2 and each task that they take it from, the most first,
    each at the lowest place that is free from the first task that uses it to the
    last (first fit with reuse, documented; the order assigned).

    * What a task computes element by element from a value that nothing needs later
      takes its place (in place, documented; verified for tables and planar tasks),
      if need be in the layout of the one that takes more.
    * A place is taken if every task meanwhile has a window left for the tiles of
      what streams: for all of them, or for at least `tile-bytes`.
    * A place is free again behind the last task that has it. The next one may be
      issued at the same time (documented, for tasks of both engines of which the
      second reads nothing of the first); then its result names what it replaces,
      and waits (verified: a copy of Apple's compiler whose tile lies where the
      task before reads).

    **When there is room in pieces alone**

    * What lies in the way of a value goes elsewhere (assigned).
    * What has no place although as much is free comes first when all places are
      found again (assigned).

    **When something has no place.** All places are found again with values in the
    order of what they save for each byte, and of what they save at all (assigned).
    Between tasks where the same lies in the same places, those places are taken that
    save more, with what is fetched once and kept.

    **Layout.** In L2 a buffer has the layout of a tile where its views allow it,
    rows of all channels with the bank skew that Apple's compiler writes; see
    L2Place.h. There all rows of a channel are accessed together, so that a few
    rows of many channels take long. A task that finds everything in L2 and does
    not tell channels from rows has one for the other if it takes fewer accesses
    so, unless these are few (how few is assigned).
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to place for">,
    Option<"tileBytes", "tile-bytes", "int64_t", "262144",
           "Bytes that the tiles of a task may always have">,
    Option<"maxTasks", "max-tasks", "uint64_t", "65536",
           "Tasks that a value may stay for, at most">,
  ];
  let statistics = [
    Statistic<"numPlaced", "placed", "Buffers in L2">,
    Statistic<"savedBytes", "saved-bytes", "Bytes of DMA that this saves">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def Schedule : Pass<"zin-schedule", "::ane::zin::ProgramOp"> {
  let summary = "Order tasks so that L2 holds what lies between them";
  let description = [{
    The tasks of a program with branches can run in many orders, and the order
    decides what has to lie in L2 at a time. A greedy list scheduler makes one that
    replaces the order of the program where it moves fewer bytes.

    **The next task** is the best of those that wait for nothing, by the first of
    these that tells them apart. The names in parentheses and their order are
    published, what each compares is assigned, and so are those without a name.

    1. A copy of a complete value that is returned.
    2. The only reader of what was just computed (ring buffer).
    3. A task that reads what was just read (branch sibling).
    4. One that computes what is needed beside what was just computed (merge
       sibling).
    5. What takes more of L2 while it fits, and what takes least if nothing does
       (working set).
    6. A task that reads the same of a value outside of L2 as the last one, which
       finds it there.
    7. The one closer to the beginning (topological level).
    8. The one that stands first (node id).

    What is returned and read as well is copied, behind all other tasks. One of
    several copies of the same, each of which is there so that L2 has it where it is
    read, never comes before the task in front of it (assigned).

    **Orders that are compared.** That of the program is its author's, and often
    good. Another one is that with the copies of what is returned right behind what
    they copy: L2 need not hold that for the rest of the program then. Values for
    which L2 has no room are copied where they were: `zin-tile-rows` finds their
    readers together.

    An order replaces that of the program only if the values between tasks, and
    what tasks read one behind the other of values outside of L2, then move fewer
    bytes by DMA, by estimate: three quarters of L2 hold values (published: less
    than all of it), and what is needed last leaves first, for all tasks that move
    it. Kernels that `zin-keep-kernels` gave L2 leave last, and the three quarters
    are of what is beside them. So a chain stays as it is.

    Where values are larger than L2, so that `zin-tile-rows` has blocks of them
    there, its own estimate of each order counts as well. Right behind, that pass
    takes the blocks of the order that was chosen from here.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to order for">,
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Tasks in another place than before">,
    Statistic<"savedBytes", "saved-bytes", "Bytes of DMA, by estimate">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def TileRows : Pass<"zin-tile-rows", "::ane::zin::ProgramOp"> {
  let summary = "Run chains of tasks block of rows by block";
  let description = [{
    A chain of tasks runs on a block of rows after another, so that L2 holds what
    lies between its tasks. A value that is larger than L2 goes through memory
    whole otherwise, and comes again for each pass of a layer whose outputs need
    several. In blocks, what comes from memory comes once: by a copy if several
    tasks read it, and if one does in several passes, because a tile holds all rows
    of the block. Every number is computed as before.

    **Where chains begin and end.** Coefficients come for each block, so more
    blocks are not better. The list of tasks is cut into chains, of up to
    `max-tasks` tasks with blocks of 2 rows or more, so that the bytes of DMA are
    the fewest, a task counting as the bytes that take as long as starting it. A
    chain begins and ends with a task that moves something of more than a quarter of
    L2 (assigned), and not in front of one that goes on element by element; nor does
    it begin with one, if what that goes on from is in memory and the task that
    wrote it could be of the chain.

    **Rows of windows.** Windows need rows above and below those of a block. These
    are computed again for each block, up to a quarter more work; or they are held
    (`hold`), where that moves fewer bytes: then a block computes the rows that no
    block before it has, each layer some rows ahead of those behind it, and the last
    rows of a value wait in L2 for the next block: where the block before has them,
    or in a buffer of their own between two copies. Copies of few rows have their
    channels for rows: rows are accessed at a time as far as they lie in different
    banks.

    **Values that others need as well**

    * A result that the chain reads and others need later, such as a part of a
      concatenation, lies in L2 for the chain and is copied to memory from there.
    * A value that the chain and others compute parts of, such as a concatenation
      with what an encoder made, may be joined in L2 (`join`), where that moves
      fewer bytes: their parts are copied there, and its own need not be in memory.

    **Room in L2**

    * A chain may take seven eighths of L2 (`l2-eighths`; less than all of it is
      published, how much assigned), beside what else stays there: what is of the
      chain, too, what is there for as many tasks as the chain has at most, and a
      residual of up to a quarter of that, for up to 24 tasks (assigned). What is
      left is for the tiles of what streams: a task that finds all of its operands
      in L2 and leaves its result there has none, so that values may take most of it
      meanwhile (`tile-bytes`; assigned).
    * What is computed element by element from what nothing needs later is written
      over it, behind the rows that are held, so that this takes nothing; so is a
      part of a value, such as of a concatenation, all of which is in L2 from there
      on.
    * What a task writes that cannot be cut, and what is written over that, counts
      as being in L2 where it is alive for up to 8 tasks (assigned) and fits. A
      source that fits so beside the result is in L2 for all passes of a task that
      is not cut, and for the next one, unless this one is of a chain.
    * Where a block has no room otherwise (`squeeze`), two tasks that go on element
      by element, of which the second alone reads what the first makes, such as a
      product with a table of the same value, run in 2 to 8 parts (assigned) of its
      rows, one after the other, and of that value one part is there at a time.
    * Two tasks outside of chains that compute a part of a larger buffer element by
      element, the second from what the first makes, are in 4 blocks (assigned) if
      that buffer has room in L2 only so.

    **Tasks between those of a chain.** Small tasks that cannot be cut, such as
    those that make a mask, part a chain where they stand between its tasks. They
    come in front of it if they wait for none of these, and else behind those that
    do not wait for them, if the bytes of DMA are fewer then. What they write takes
    up to an eighth of L2 for longer (assigned).

    **What can be cut**

    * Tasks of one image without reductions, whose views have all rows of their
      buffers, but for operands of one row for all of them, and for results in an
      output where each row of the image is several, with the channels as columns.
    * The images of a batch that follow each other in a buffer are channels of it
      here.
    * A buffer of one row that all tasks see with the same shorter rows, as
      convolutions of one pixel see a signal, has those; not for a convolution of
      one that L2 just holds, since `zin-place-l2` keeps it.
    * Results may take turns with the rows of one, as copies do that make every row
      twice: a block then has all rows of a turn.
    * What reads other rows of a buffer, such as every second one, is of a later
      chain than what writes it.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to tile for">,
    Option<"maxTasks", "max-tasks", "unsigned",
           /*default=*/"::ane::zin::maxTasksOfChain",
           "Tasks that a chain has at most">,
    Option<"l2Eighths", "l2-eighths", "unsigned",
           /*default=*/"::ane::zin::l2EighthsOfChain",
           "Eighths of L2 that a chain may take while tasks have tiles">,
    Option<"tileBytes", "tile-bytes", "int64_t",
           /*default=*/"::ane::zin::tileBytesOfChain",
           "Bytes of L2 that it may take beside them while no task has tiles">,
    Option<"hold", "hold", "bool", "true",
           "Let blocks hold rows for the next one">,
    Option<"join", "join", "bool", "true",
           "Let chains join values in L2 that others compute parts of">,
    Option<"squeeze", "squeeze", "bool", "true",
           "Let blocks that have no room otherwise run pairs of tasks in parts">,
  ];
  let statistics = [
    Statistic<"numChains", "chains", "Chains cut into blocks">,
    Statistic<"numHolding", "holding",
              "Chains that hold rows for the next block">,
    Statistic<"numJoining", "joining",
              "Chains that join values in L2 that others compute parts of">,
    Statistic<"numBlocks", "blocks", "Blocks of all chains">,
    Statistic<"numGathered", "gathered",
              "Programs whose tasks between those of chains went elsewhere">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PlaceDram : Pass<"zin-place-dram", "::ane::zin::ProgramOp"> {
  let summary = "Give scratch buffers their places in one section";
  let description = [{
    All scratch buffers lie in one section. A buffer takes the first gap that no
    buffer alive at the same time occupies; it is alive from the task that first
    writes it to the task that last reads it. What is in L2 alone has no place
    there.
  }];
  let statistics = [
    Statistic<"scratchBytes", "scratch-bytes", "Bytes of the scratch section">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

def PairEngines : Pass<"zin-pair-engines", "::ane::zin::ProgramOp"> {
  let summary = "Mark tasks of the two engines that may be issued together";
  let description = [{
    The engines are two. A task of one may begin while that before it, of the
    other, still runs, if its descriptor says so: of pairs that are independent
    of each other the second has no hazard and no dependency, and the first
    `NextOverlaps`. Nothing else of them changes, and results are those of one
    task after the other.

    A pair is (documented, but for what is marked)

    * a task of the NE and one of the PE. With `neural-first=false` only one of
      the PE and then one of the NE: in no program of Apple's compiler that was
      seen has a task of the NE the bit, and none has an independent one of the PE
      behind it;
    * no producer and its consumer. The second task fetches inputs and constants,
      which no task writes, so that it waits for nothing in memory either
      (verified: the second of both pairs that were seen is such a copy), or reads
      what a task of its own engine left in L2 (assigned);
    * not two that store to memory, nor one that stores where the first fetches;
    * without one that hands its result over row by row (chained), which no task
      here does;
    * of one group: the first task of a group waits for those before (verified).

    In L2 the second must have nothing where the first has something, nor where
    tasks in front of that have which it may follow closely (assigned). Its tiles
    are moved to where this holds, if they keep their number of rows: so do those
    of Apple's compiler, and where they do not lie apart, it says that the task
    waits (verified, one program each).
  }];
  let options = [
    Option<"target", "target", "std::string", "\"h13\"", "Target to pair for">,
    Option<"neuralFirst", "neural-first", "bool", "false",
           "Also pair a task of the NE with one of the PE behind it">,
  ];
  let statistics = [
    Statistic<"numPairs", "pairs", "Tasks that may be issued with the one before">,
  ];
  let dependentDialects = ["::ane::zin::ZinDialect"];
}

#endif // ANE_ZIN_PASSES_TD
