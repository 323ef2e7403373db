#!/usr/bin/env python3
"""Trains the digit classifier of this folder and writes it as a MIL program.

The network, its gradients and the optimiser are plain numpy; scikit-learn
only supplies and splits the images. Every random choice comes from SEED, so a
second run on the same machine writes the same bytes:

    python3 train.py            # rewrites the files of this folder
    python3 train.py --out DIR  # writes them elsewhere
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

# More BLAS threads would split the sums differently and so change the last
# bits of the weights. BLAS reads these variables once, when numpy loads it.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MKL_NUM_THREADS"] = "1"

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from mil_writer import MilWriter, tensor_type

SEED = 1998
TEST_IMAGES = 360
EPOCHS = 60
BATCH = 64
LEARNING_RATE = 1e-2
WEIGHT_DECAY = 1e-2
REQUIRED_ACCURACY = 0.975

# Rounding differences of other BLAS libraries stay far below one fp16 unit
# when the training itself runs in double precision.
TRAIN_TYPE = np.float64


# --- Layers ----------------------------------------------------------------
#
# Activations are [N, C, H, W]. `forward` keeps what `backward` needs,
# `backward` fills `gradients` and returns the gradient of its input, `emit`
# writes the layer for a batch of one.


class Layer:
    def __init__(self) -> None:
        self.parameters: dict[str, np.ndarray] = {}
        self.gradients: dict[str, np.ndarray] = {}
        self.statistics: dict[str, np.ndarray] = {}

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        raise NotImplementedError

    def backward(self, dy: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        raise NotImplementedError

    def convert(self, dtype: type) -> None:
        """Rounds everything that was learned to `dtype`."""
        for group in (self.parameters, self.statistics):
            for key, value in group.items():
                group[key] = value.astype(dtype)


class Conv(Layer):
    """3x3 convolution, one pixel of zero padding; weight [O, C/g, 3, 3].

    `depthwise` gives every channel its own filter (groups = C).
    """

    TAPS = [(row, column) for row in range(3) for column in range(3)]

    def __init__(self, random: np.random.RandomState, channels: int,
                 filters: int, stride: int = 1, depthwise: bool = False,
                 bias: bool = False) -> None:
        super().__init__()
        self.stride = stride
        self.groups = channels if depthwise else 1
        fan_in = channels // self.groups * len(self.TAPS)
        self.parameters["weight"] = random.normal(
            0, np.sqrt(2 / fan_in),
            (filters, channels // self.groups, 3, 3)).astype(TRAIN_TYPE)
        if bias:
            # Not zero: in front of a batch_norm a bias has no gradient and
            # would stay so.
            limit = 1 / np.sqrt(fan_in)
            self.parameters["bias"] = random.uniform(
                -limit, limit, filters).astype(TRAIN_TYPE)

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        weight = self.parameters["weight"]
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        self.windows = sliding_window_view(padded, (3, 3), axis=(2, 3))[
            :, :, ::self.stride, ::self.stride]
        if self.groups > 1:
            y = sum(self.windows[..., i, j] * weight[:, 0, i, j, None, None]
                    for i, j in self.TAPS)
        else:
            y = np.tensordot(weight, self.windows, ([1, 2, 3], [1, 4, 5]))
            y = np.ascontiguousarray(y.transpose(1, 0, 2, 3))
        if "bias" in self.parameters:
            y += self.parameters["bias"][:, None, None]
        return y

    def backward(self, dy: np.ndarray) -> np.ndarray:
        weight = self.parameters["weight"]
        count, channels, height, width = self.windows.shape[:4]
        step = self.stride
        dx = np.zeros((count, channels, step * height + 2, step * width + 2),
                      dy.dtype)
        d_weight = np.empty_like(weight)
        for i, j in self.TAPS:
            x = self.windows[..., i, j]
            target = dx[:, :, i:i + step * height:step,
                        j:j + step * width:step]
            if self.groups > 1:
                d_weight[:, 0, i, j] = (x * dy).sum((0, 2, 3))
                target += dy * weight[:, 0, i, j, None, None]
            else:
                d_weight[:, :, i, j] = np.tensordot(dy, x,
                                                   ([0, 2, 3], [0, 2, 3]))
                target += np.tensordot(weight[:, :, i, j], dy,
                                       ([0], [1])).transpose(1, 0, 2, 3)
        self.gradients["weight"] = d_weight
        if "bias" in self.parameters:
            self.gradients["bias"] = dy.sum((0, 2, 3))
        return dx[:, :, 1:-1, 1:-1]

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("conv", name, "fp16", shape, x, **self.parameters,
                      strides=[self.stride] * 2, pad_type="custom",
                      pad=[1, 1, 1, 1], dilations=[1, 1], groups=self.groups)


class BatchNorm(Layer):
    EPSILON = 1e-3
    MOMENTUM = 0.9

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.parameters["gamma"] = np.ones(channels, TRAIN_TYPE)
        self.parameters["beta"] = np.zeros(channels, TRAIN_TYPE)
        self.statistics["mean"] = np.zeros(channels, TRAIN_TYPE)
        self.statistics["variance"] = np.ones(channels, TRAIN_TYPE)

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        moments = self.statistics
        if training:
            moments = {"mean": x.mean((0, 2, 3)),
                       "variance": x.var((0, 2, 3))}
            for key, value in moments.items():
                self.statistics[key] = (self.MOMENTUM * self.statistics[key] +
                                        (1 - self.MOMENTUM) * value)
        epsilon = x.dtype.type(self.EPSILON)
        self.rstd = 1 / np.sqrt(moments["variance"] + epsilon)
        self.normal = ((x - moments["mean"][:, None, None]) *
                       self.rstd[:, None, None])
        return (self.normal * self.parameters["gamma"][:, None, None] +
                self.parameters["beta"][:, None, None])

    def backward(self, dy: np.ndarray) -> np.ndarray:
        self.gradients["gamma"] = (dy * self.normal).sum((0, 2, 3))
        self.gradients["beta"] = dy.sum((0, 2, 3))
        elements = dy.size // dy.shape[1]
        scale = self.parameters["gamma"] * self.rstd / elements
        return scale[:, None, None] * (
            elements * dy - self.gradients["beta"][:, None, None] -
            self.normal * self.gradients["gamma"][:, None, None])

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("batch_norm", name, "fp16", shape, x, **self.statistics,
                      **self.parameters, epsilon=self.EPSILON)


class Relu(Layer):
    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        self.positive = x > 0
        return x * self.positive

    def backward(self, dy: np.ndarray) -> np.ndarray:
        return dy * self.positive

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("relu", name, "fp16", shape, x)


class MaxPool(Layer):
    """Maximum over 2x2 windows that do not overlap."""

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        count, channels, height, width = x.shape
        windows = x.reshape(count, channels, height // 2, 2, width // 2, 2)
        y = windows.max((3, 5), keepdims=True)
        hits = windows == y
        self.share = hits / hits.sum((3, 5), keepdims=True)
        return y[:, :, :, 0, :, 0]

    def backward(self, dy: np.ndarray) -> np.ndarray:
        count, channels, height, width = dy.shape
        dx = self.share * dy[:, :, :, None, :, None]
        return dx.reshape(count, channels, 2 * height, 2 * width)

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("max_pool", name, "fp16", shape, x, kernel_sizes=[2, 2],
                      strides=[2, 2], pad_type="valid", pad=[0, 0, 0, 0],
                      ceil_mode=False)


class Reshape(Layer):
    """[N, C, H, W] to [N, C*H*W]."""

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, dy: np.ndarray) -> np.ndarray:
        return dy.reshape(self.shape)

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("reshape", name, "fp16", shape, x, shape=list(shape))


class Linear(Layer):
    """x @ weight^T + bias; weight [out, in]."""

    def __init__(self, random: np.random.RandomState, inputs: int,
                 outputs: int) -> None:
        super().__init__()
        self.parameters["weight"] = random.normal(
            0, np.sqrt(1 / inputs), (outputs, inputs)).astype(TRAIN_TYPE)
        self.parameters["bias"] = np.zeros(outputs, TRAIN_TYPE)

    def forward(self, x: np.ndarray, training: bool) -> np.ndarray:
        self.x = x
        return x @ self.parameters["weight"].T + self.parameters["bias"]

    def backward(self, dy: np.ndarray) -> np.ndarray:
        self.gradients["weight"] = dy.T @ self.x
        self.gradients["bias"] = dy.sum(0)
        return dy @ self.parameters["weight"]

    def emit(self, mil: MilWriter, name: str, x: str,
             shape: tuple[int, ...]) -> str:
        return mil.op("linear", name, "fp16", shape, x, **self.parameters)


def softmax(logits: np.ndarray) -> np.ndarray:
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return exponentials / exponentials.sum(1, keepdims=True)


# --- Network ---------------------------------------------------------------


class Network:
    def __init__(self, random: np.random.RandomState) -> None:
        self.layers: dict[str, Layer] = {
            "conv_1": Conv(random, 1, 16, bias=True),
            "relu_1": Relu(),
            "conv_2": Conv(random, 16, 16, depthwise=True),
            "batch_norm_2": BatchNorm(16),
            "relu_2": Relu(),
            "conv_3": Conv(random, 16, 32, stride=2, bias=True),
            "batch_norm_3": BatchNorm(32),
            "relu_3": Relu(),
            "max_pool_3": MaxPool(),
            "reshape_4": Reshape(),
            "linear_4": Linear(random, 128, 10),
        }

    def logits(self, x: np.ndarray, training: bool = False) -> np.ndarray:
        for layer in self.layers.values():
            x = layer.forward(x, training)
        return x

    def accuracy(self, images: np.ndarray, labels: np.ndarray) -> float:
        return float((self.logits(images).argmax(1) == labels).mean())

    def step(self, images: np.ndarray, labels: np.ndarray) -> float:
        """Fills the gradients of the mean cross entropy and returns it."""
        gradient = softmax(self.logits(images, training=True))
        rows = np.arange(len(labels))
        loss = -np.log(gradient[rows, labels]).mean()
        gradient[rows, labels] -= 1
        gradient /= len(labels)
        for layer in reversed(self.layers.values()):
            gradient = layer.backward(gradient)
        return float(loss)

    def convert(self, dtype: type) -> None:
        for layer in self.layers.values():
            layer.convert(dtype)

    def emit(self, images: np.ndarray) -> tuple[str, bytes]:
        """MIL text and weight file; the shape of `images` is the input's."""
        mil = MilWriter("ane-mlir/examples/digits/train.py")
        parameter = f"{tensor_type('fp32', images.shape)} image"
        value = mil.op("cast", "image_to_fp16", "fp16", images.shape, "image",
                       dtype="fp16")
        for name, layer in self.layers.items():
            images = layer.forward(images, False)
            value = layer.emit(mil, name, value, images.shape)
        value = mil.op("softmax", "softmax_4", "fp16", images.shape, value,
                       axis=-1)
        value = mil.op("cast", "probabilities", "fp32", images.shape, value,
                       dtype="fp32")
        return mil.program(parameter, value), mil.blobs.finish()


class Adam:
    """Adam with decoupled weight decay on everything but vectors."""

    BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

    def __init__(self, layers: list[Layer]) -> None:
        self.steps = 0
        self.slots = [(layer, key, np.zeros_like(value),
                       np.zeros_like(value)) for layer in layers
                      for key, value in layer.parameters.items()]

    def update(self, rate: float) -> None:
        self.steps += 1
        correction1 = 1 - self.BETA1**self.steps
        correction2 = 1 - self.BETA2**self.steps
        for layer, key, first, second in self.slots:
            value, gradient = layer.parameters[key], layer.gradients[key]
            first += (1 - self.BETA1) * (gradient - first)
            second += (1 - self.BETA2) * (gradient**2 - second)
            if value.ndim > 1:
                value -= rate * WEIGHT_DECAY * value
            value -= rate * (first / correction1) / (
                np.sqrt(second / correction2) + self.EPSILON)


def distorted(images: np.ndarray,
              random: np.random.RandomState) -> np.ndarray:
    """Turns, scales and moves every image a little (bilinear sampling).

    At most 0.1 radian, 5 % per axis and 0.3 pixel: the originals are centred
    and fill the whole frame.
    """
    count, _, height, width = images.shape
    angle = random.uniform(-0.1, 0.1, (count, 1, 1))
    scale = random.uniform(0.95, 1.05, (2, count, 1, 1))
    shift = random.uniform(-0.3, 0.3, (2, count, 1, 1))
    middle = np.array([height - 1, width - 1])[:, None, None] / 2
    y, x = np.mgrid[:height, :width] - middle
    cosine, sine = np.cos(angle), np.sin(angle)
    # Nothing moves by more than BORDER pixels, so no sample leaves `padded`.
    BORDER = 2
    padded = np.pad(images[:, 0], ((0, 0), (BORDER,) * 2, (BORDER,) * 2))
    y, x = (np.stack([cosine * y + sine * x, cosine * x - sine * y]) * scale +
            shift + middle[:, None] + BORDER)
    top, left = y.astype(int), x.astype(int)
    y, x = y - top, x - left
    image = np.arange(count)[:, None, None]
    return ((padded[image, top, left] * (1 - x) +
             padded[image, top, left + 1] * x) * (1 - y) +
            (padded[image, top + 1, left] * (1 - x) +
             padded[image, top + 1, left + 1] * x) * y)[:, None]


def train(images: np.ndarray, labels: np.ndarray, seed: int) -> Network:
    # RandomState, not Generator: numpy promises never to change its stream.
    random = np.random.RandomState(seed)
    network = Network(random)
    optimiser = Adam(list(network.layers.values()))
    images = images.astype(TRAIN_TYPE)
    batches = -(-len(images) // BATCH)
    for epoch in range(EPOCHS):
        losses = []
        for batch in np.array_split(random.permutation(len(images)), batches):
            losses.append(network.step(distorted(images[batch], random),
                                       labels[batch]))
            progress = optimiser.steps / (EPOCHS * batches)
            optimiser.update(LEARNING_RATE * 0.5 *
                             (1 + np.cos(np.pi * progress)))
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1:3d}  loss {np.mean(losses):.4f}")
    return network


def load_split() -> tuple[np.ndarray, ...]:
    """Training images, test images [N, 1, 8, 8] in 0..1, and their labels."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[:, None]
    return tuple(train_test_split(images, digits.target.astype(np.uint8),
                                  test_size=TEST_IMAGES, random_state=SEED,
                                  stratify=digits.target))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent,
                        help="folder to write (default: this folder)")
    out = parser.parse_args().out

    train_images, test_images, train_labels, test_labels = load_split()
    start = time.monotonic()
    network = train(train_images, train_labels, SEED)
    print(f"{time.monotonic() - start:.1f} s")

    network.convert(np.float32)
    accuracy = network.accuracy(test_images, test_labels)
    print(f"fp32: train {network.accuracy(train_images, train_labels):.2%}, "
          f"test {accuracy:.2%} of {len(test_images)}")
    if accuracy < REQUIRED_ACCURACY:
        print(f"error: test accuracy is below {REQUIRED_ACCURACY:.1%}; "
              "nothing was written", file=sys.stderr)
        return 1

    text, weights = network.emit(test_images[:1])
    (out / "weights").mkdir(parents=True, exist_ok=True)
    (out / "model.mil").write_text(text, encoding="utf-8")
    (out / "weights" / "weight.bin").write_bytes(weights)
    np.save(out / "test_images.npy", test_images)
    np.save(out / "test_labels.npy", test_labels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
