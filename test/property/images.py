"""Images at places between their elements: other sizes, boxes, grids."""
import numpy as np

from program import ROUNDING, Skip, const_text, flag, integer, ints, size, string


def picture(program, most):
    """An image of so many elements at most."""
    return program.operand(lambda v: v.rank == 4 and size(v.shape) <= most,
                           lambda: program.shape(4))


def resize(program):
    x = picture(program, program.max_elements // 16)
    op = program.pick(("upsample_nearest_neighbor", "upsample_bilinear",
                       "resize_bilinear", "resize_nearest_neighbor", "resize"))
    arguments, grain, error, extra = {"x": x.name}, x.grain, x.error, 0
    modes = ["STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT",
             "OFFSET_CORNERS"]
    if program.opset >= 16:
        modes.append("UNALIGN_CORNERS")
    weighted = "bilinear" in op
    if op == "resize":
        if program.opset < 17:
            raise Skip()
        extents = [program.random.randint(1, 12) for _ in range(2)]
        weighted = program.chance(0.5)
        dims = program.random.randint(1, 2)
        stated = [0 if program.chance(0.2) else e for e in extents]
        arguments.update(
            shape=ints(stated), resized_dims=f"uint32({dims})",
            interpolation_mode=string("LINEAR" if weighted
                                      else "NEAREST_NEIGHBOR"),
            # Of two elements as near the first is taken; where that is not
            # decided by the definition nothing is asked for.
            sampling_mode=string(program.pick(modes) if weighted
                                 else "DEFAULT"))
        extents = [e or old for e, old in zip(stated, x.shape[2:])]
        if dims == 1:
            extents[0] = x.shape[2]
    elif op.startswith("upsample"):
        scales = [program.random.randint(1, 4) for _ in range(2)]
        extents = [e * s for e, s in zip(x.shape[2:], scales)]
        kind = "fp32"
        arguments["scale_factor_height"] = f"{kind}({float(scales[0])})"
        arguments["scale_factor_width"] = f"{kind}({float(scales[1])})"
        if op == "upsample_bilinear":
            aligned = program.chance(0.5)
            arguments["align_corners"] = flag(aligned)
            if program.opset >= 16 and program.chance(0.5):
                arguments["half_pixel_centers"] = flag(
                    not aligned and program.chance(0.5))
    else:
        extents = [program.random.randint(1, 12) for _ in range(2)]
        arguments["target_size_height"] = integer(extents[0])
        arguments["target_size_width"] = integer(extents[1])
        if op == "resize_bilinear":
            arguments["sampling_mode"] = string(program.pick(modes))
    if weighted:
        grain, extra = None, 4
        error += 4 * ROUNDING * x.largest
    return program.emit(op, x.shape[:2] + extents, arguments, x.low, x.high,
                        grain, error, extra, [x])


def crop_resize(program):
    """Boxes at quarters of elements: weights are sixteenths."""
    if program.opset < 17:
        raise Skip()
    x = picture(program, 1500)
    n, _, height, width = x.shape
    count = program.random.randint(1, 3)
    boxes = [[program.random.randint(-4, 4 * e + 2) / 4
              for e in (height, width, height, width)] for _ in range(count)]
    target = [program.random.randint(1, 6) for _ in range(2)]
    outside = program.pick((0.0, -1.5))
    arguments = {
        "x": x.name, "boxes": program.tensor(np.array(boxes)),
        "box_indices": ints(program.random.randrange(n)
                            for _ in range(count)),
        "target_height": integer(target[0]),
        "target_width": integer(target[1]),
        "pad_value": program.scalar(outside),
        "sampling_mode": string(program.pick((
            "STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT",
            "OFFSET_CORNERS", "UNALIGN_CORNERS")))}
    return program.emit("crop_resize", [count, x.shape[1]] + target, arguments,
                        min(x.low, outside), max(x.high, outside), None,
                        x.error + 8 * ROUNDING * x.largest, 4, [x])


def crop_resize_by_roi(program):
    """As it was before ios17: an entry of five numbers for each box, with the
    number of its image. Boxes inside."""
    if program.opset >= 17:
        raise Skip()
    x = picture(program, 1500)
    n, channels, height, width = x.shape
    count = program.random.randint(1, 3)
    boxes = np.zeros([count, 1, 5, 1, 1])
    for box in boxes:
        ends = [sorted(program.random.randint(0, 4 * (e - 1)) / 4
                       for _ in range(2)) for e in (height, width)]
        box[0, :, 0, 0] = [program.random.randrange(n),
                           ends[0][0], ends[1][0], ends[0][1], ends[1][1]]
    target = [program.random.randint(1, 6) for _ in range(2)]
    modes = ["STRICT_ALIGN_CORNERS", "ALIGN_CORNERS", "DEFAULT",
             "OFFSET_CORNERS"]
    arguments = {"x": x.name, "roi": program.tensor(boxes),
                 "target_height": integer(target[0]),
                 "target_width": integer(target[1]),
                 "sampling_mode": string(program.pick(modes))}
    return program.emit("crop_resize", [count, 1, channels] + target, arguments,
                        min(x.low, 0), max(x.high, 0), None,
                        x.error + 8 * ROUNDING * x.largest, 4, [x])


def resample(program):
    """At multiples of a quarter, known or computed, or between the corners."""
    if program.opset < 16:
        raise Skip()
    x = picture(program, 800)
    n, channels, height, width = x.shape
    shape = [n, program.random.randint(1, 4), program.random.randint(1, 4), 2]
    ends = (width, height)
    places = np.array([program.random.randint(-6, 4 * ends[i % 2] + 6) / 4
                       for i in range(size(shape))]).reshape(shape)
    nearest = program.chance(0.3)
    if nearest:
        # Not halfway between two.
        places = np.floor(places) + 0.25
    if program.chance(0.5):
        text, uses = program.tensor(places), []
    else:
        value = program.new_input(shape, low=-8, high=4 * max(ends) + 8)
        program.arrays[value.name] = places.astype(
            program.arrays[value.name].dtype)
        text, uses = value.name, [value]
    outside = program.pick((0.0, 2.5))
    mode, coordinates_error = "unnormalized", 0.0
    if not uses and not nearest and program.chance(0.3):
        mode = program.pick(("normalized_minus_one_to_one",
                             "normalized_zero_to_one"))
        text = program.tensor(places / 8)
        # Not exact in fp16 where they are elements.
        coordinates_error = 2 * x.largest * max(ends) * 2.0**-9
    arguments = {
        "x": x.name, "coordinates": text,
        "coordinates_mode": string(mode),
        "align_corners": flag(program.chance(0.5)),
        "sampling_mode": string("nearest" if nearest else "bilinear"),
        "padding_mode": string(program.pick(("constant", "border",
                                             "reflection", "symmetric"))),
        "padding_value": program.scalar(outside)}
    return program.emit("resample", [n, channels] + shape[1:3], arguments,
                        min(x.low, 0), max(x.high, outside), None,
                        x.error + 8 * ROUNDING * max(x.largest, outside)
                        + coordinates_error, 4, uses + [x])


def affine(program):
    """Turned and moved images; a known matrix or one of each image."""
    x = picture(program, 800)
    n, channels, height, width = x.shape
    rows = program.pick((1, n))
    matrix = np.array([program.random.randint(-6, 6) / 4
                       for _ in range(6 * rows)]).reshape([rows, 6])
    # Places come from sums of three products, of a few elements each.
    error = x.error + 8 * ROUNDING * x.largest
    if program.chance(0.5):
        text, uses = program.tensor(matrix), []
    else:
        value = program.new_input([rows, 6], low=-1.5, high=1.5, grain=0.25)
        program.arrays[value.name] = matrix.astype(
            program.arrays[value.name].dtype)
        text, uses = value.name, [value]
        error += 2 * x.largest * max(height, width) * 2.0**-8
    target = [program.random.randint(1, 6) for _ in range(2)]
    return program.emit("affine", [n, channels] + target, {
        "x": x.name, "transform_matrix": text,
        "output_height": integer(target[0]),
        "output_width": integer(target[1]),
        "sampling_mode": string("bilinear"),
        "padding_mode": string("constant"), "padding_value": program.scalar(0),
        "coordinates_mode": string("normalized_minus_one_to_one"),
        "align_corners": flag(True)}, min(x.low, 0), max(x.high, 0), None,
        error, 4, uses + [x])


OPS = [(resize, 2), (crop_resize, 1), (crop_resize_by_roi, 0.6), (resample, 1),
       (affine, 0.6)]
