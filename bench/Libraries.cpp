//===- Libraries.cpp - What the executor is compared with -----------------===//

#include "Libraries.h"
#include <cblas.h>
#include <cstring>
#include <dnnl.hpp>
#include <memory>
#include <thread>

using namespace ane;
using namespace ane::bench;
using Tag = dnnl::memory::format_tag;
using Type = dnnl::memory::data_type;

namespace {

/// The processor and its queue, and memory in several forms.
struct Dnnl {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};

  dnnl::memory memory(const dnnl::memory::dims &dims, Tag tag,
                      llvm::ArrayRef<float> values = {}) {
    dnnl::memory result({dims, Type::f32, tag}, engine);
    if (!values.empty())
      std::memcpy(result.get_data_handle(), values.data(),
                  values.size() * sizeof(float));
    return result;
  }
  dnnl::memory reordered(dnnl::memory from, const dnnl::memory::desc &form) {
    dnnl::memory result(form, engine);
    dnnl::reorder(from, result).execute(stream, from, result);
    stream.wait();
    return result;
  }
  std::vector<float> read(dnnl::memory from, const dnnl::memory::dims &dims,
                          Tag tag) {
    dnnl::memory plain = reordered(from, {dims, Type::f32, tag});
    auto *values = static_cast<const float *>(plain.get_data_handle());
    return {values, values + plain.get_desc().get_size() / sizeof(float)};
  }
};

} // namespace

Operation bench::matmul(uint32_t m, uint32_t n, uint32_t k,
                        llvm::ArrayRef<float> a, llvm::ArrayRef<float> b) {
  auto result = std::make_shared<std::vector<float>>(uint64_t(m) * n);
  return {[=] {
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1,
                        a.data(), k, b.data(), n, 0, result->data(), n);
          },
          [=] { return *result; }};
}

Operation bench::convolution(uint32_t channels, uint32_t size, bool channelwise,
                             llvm::ArrayRef<float> x,
                             llvm::ArrayRef<float> weights) {
  auto dnnl = std::make_shared<Dnnl>();
  dnnl::memory::dims image = {1, channels, size, size};
  dnnl::memory::dims filter = {channels, channels, 3, 3};
  if (channelwise)
    filter = {channels, 1, 1, 3, 3};
  auto any = [](const dnnl::memory::dims &dims) {
    return dnnl::memory::desc(dims, Type::f32, Tag::any);
  };
  dnnl::convolution_forward::primitive_desc form(
      {dnnl::prop_kind::forward_inference,
       dnnl::algorithm::convolution_auto,
       any(image),
       any(filter),
       any(image),
       {1, 1},
       {1, 1},
       {1, 1}},
      dnnl->engine);
  dnnl::memory source =
      dnnl->reordered(dnnl->memory(image, Tag::nchw, x), form.src_desc());
  dnnl::memory kernel = dnnl->reordered(
      dnnl->memory(filter, channelwise ? Tag::goihw : Tag::oihw, weights),
      form.weights_desc());
  dnnl::memory target(form.dst_desc(), dnnl->engine);
  dnnl::convolution_forward primitive(form);
  return {[=]() mutable {
            primitive.execute(dnnl->stream, {{DNNL_ARG_SRC, source},
                                             {DNNL_ARG_WEIGHTS, kernel},
                                             {DNNL_ARG_DST, target}});
            dnnl->stream.wait();
          },
          [=] { return dnnl->read(target, image, Tag::nchw); }};
}

Operation bench::softmax(uint32_t channels, uint32_t rows, uint32_t columns,
                         llvm::ArrayRef<float> x) {
  auto dnnl = std::make_shared<Dnnl>();
  dnnl::memory::dims dims = {channels, rows, columns};
  dnnl::memory source = dnnl->memory(dims, Tag::abc, x);
  dnnl::memory target = dnnl->memory(dims, Tag::abc);
  dnnl::softmax_forward::primitive_desc form(
      {dnnl::prop_kind::forward_inference, source.get_desc(), 2}, dnnl->engine);
  dnnl::softmax_forward primitive(form);
  return {[=]() mutable {
            primitive.execute(dnnl->stream,
                              {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}});
            dnnl->stream.wait();
          },
          [=] { return dnnl->read(target, dims, Tag::abc); }};
}

Operation bench::copy(uint64_t bytes, unsigned threads) {
  auto from = std::make_shared<std::vector<char>>(bytes, 1);
  auto to = std::make_shared<std::vector<char>>(bytes, 2);
  return {[=] {
            uint64_t half = threads > 1 ? bytes / 2 : 0;
            std::thread other;
            if (half)
              other = std::thread(
                  [&] { std::memcpy(to->data(), from->data(), half); });
            std::memcpy(to->data() + half, from->data() + half, bytes - half);
            if (half)
              other.join();
          },
          [] { return std::vector<float>(); }};
}
