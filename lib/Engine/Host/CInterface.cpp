//===- CInterface.cpp - Runs containers from C ----------------------------===//

#include "ane/Engine/Runner.h"
#include "ane/Engine/ane.h"
#include "ane/Support/FormatShape.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <cstring>
#include <exception>

using namespace ane;
using namespace ane::engine;
using llvm::Error;

struct ane_program {
  Runner runner;
  std::string error;
  Numerics numerics = defaultNumerics;
};

namespace {

constexpr int done = 0, failed = 1;

ane_type typeOf(const HostPort &port) {
  switch (port.type) {
  case ElementType::Float32:
    return ANE_FP32;
  case ElementType::Bool:
    return ANE_BOOL;
  case ElementType::Int8:
    return ANE_INT8;
  case ElementType::UInt8:
    return ANE_UINT8;
  case ElementType::Int16:
    return ANE_INT16;
  case ElementType::Int32:
    return ANE_INT32;
  default:
    return ANE_FP16;
  }
}

size_t bytesOf(const HostPort &port) {
  size_t bytes = byteSize(port.type);
  for (int64_t extent : port.shape)
    bytes *= extent;
  return bytes;
}

/// The text of an error without the line end.
std::string textOf(Error error) {
  return llvm::StringRef(llvm::toString(std::move(error))).trim().str();
}

/// Calls `body`, and keeps whatever goes wrong.
template <typename Body> int guard(ane_program *program, Body body) {
  try {
    Error error = body();
    if (!error)
      return done;
    program->error = textOf(std::move(error));
  } catch (const std::exception &exception) {
    program->error = exception.what();
  }
  return failed;
}

llvm::Expected<const HostPort *> portAt(const ane_program *program,
                                        size_t index) {
  llvm::ArrayRef<HostPort> ports = program->runner.ports();
  if (index < ports.size())
    return &ports[index];
  return llvm::createStringError(llvm::formatv(
      "there is no port {0}; there are {1}", index, ports.size()));
}

llvm::Expected<const HostPort *>
portFor(const ane_program *program, size_t index, bool isInput, size_t bytes) {
  llvm::Expected<const HostPort *> found = portAt(program, index);
  if (!found)
    return found.takeError();
  const HostPort &port = **found;
  if (port.isInput() != isInput)
    return llvm::createStringError(
        llvm::formatv("port {0} ('{1}') is an {2}", index, port.name,
                      port.isInput() ? "input" : "output"));
  if (bytes != bytesOf(port))
    return llvm::createStringError(
        llvm::formatv("the array of '{0}' has {1} bytes, but the port {2}: "
                      "{3} {4}",
                      port.name, bytes, bytesOf(port), milName(port.type),
                      formatShape(port.shape)));
  return &port;
}

} // namespace

extern "C" {

int ane_api_version(void) { return ANE_API_VERSION; }

ane_program *ane_load(const char *path, char **message) {
  return ane_load_procedure(path, "", message);
}

ane_program *ane_load_procedure(const char *path, const char *procedure,
                                char **message) {
  std::string error;
  try {
    RunnerOptions options;
    options.procedure = procedure;
    llvm::Expected<Runner> runner = Runner::load(path, options);
    if (runner)
      return new ane_program{std::move(*runner), ""};
    error = textOf(runner.takeError());
  } catch (const std::exception &exception) {
    error = exception.what();
  }
  if (message)
    *message = strdup(error.c_str());
  return nullptr;
}

void ane_free_message(char *message) { std::free(message); }

void ane_free(ane_program *program) { delete program; }

size_t ane_num_ports(const ane_program *program) {
  return program->runner.ports().size();
}

int ane_get_port(ane_program *program, size_t index, ane_port *port) {
  return guard(program, [&]() -> Error {
    llvm::Expected<const HostPort *> found = portAt(program, index);
    if (!found)
      return found.takeError();
    const HostPort &host = **found;
    *port = {host.name.c_str(), host.isInput(),    typeOf(host),
             host.shape.size(), host.shape.data(), bytesOf(host)};
    return Error::success();
  });
}

int ane_is_state(const ane_program *program, size_t index) {
  llvm::ArrayRef<HostPort> ports = program->runner.ports();
  return index < ports.size() && ports[index].isState;
}

int ane_set_input(ane_program *program, size_t index, const void *array,
                  size_t bytes) {
  return guard(program, [&]() -> Error {
    auto port = portFor(program, index, /*isInput=*/true, bytes);
    if (!port)
      return port.takeError();
    return program->runner.setInput(**port, array);
  });
}

int ane_set_numerics(ane_program *program, ane_numerics numerics) {
  return guard(program, [&]() -> Error {
    // C takes any number for one of an enumeration.
    switch (static_cast<int>(numerics)) {
    case ANE_DOCUMENTED:
      program->numerics = Numerics::Documented;
      return Error::success();
    case ANE_TILE4:
      program->numerics = Numerics::Tile4;
      return Error::success();
    default:
      return llvm::createStringError(
          llvm::formatv("there are no numerics {0}; there are 0 (documented) "
                        "and 1 (tile4)",
                        static_cast<int>(numerics)));
    }
  });
}

int ane_run(ane_program *program, unsigned threads) {
  return guard(program,
               [&] { return program->runner.run(threads, program->numerics); });
}

int ane_get_output(ane_program *program, size_t index, void *array,
                   size_t bytes) {
  return guard(program, [&]() -> Error {
    auto port = portFor(program, index, /*isInput=*/false, bytes);
    if (!port)
      return port.takeError();
    program->runner.getOutput(**port, array);
    return Error::success();
  });
}

const char *ane_last_error(const ane_program *program) {
  return program->error.c_str();
}

} // extern "C"
