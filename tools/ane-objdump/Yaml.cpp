//===- Yaml.cpp - Containers as YAML and back -----------------------------===//

#include "Options.h"
#include "ane/Object/Reader.h"
#include "ane/Object/Writer.h"
#include "ane/ObjectYAML/ObjectYAML.h"
#include "ane/Support/FileError.h"
#include "ane/Support/InputFile.h"
#include "ane/Support/OutputFile.h"

using namespace ane;
using llvm::Error;
using llvm::StringRef;

static int finish(Error error, StringRef path) {
  if (!error)
    return ExitDone;
  reportErrors(std::move(error), path);
  return ExitRefused;
}

int objdump::writeYaml(const Options &options) {
  auto object = object::readObject(options.input);
  if (!object)
    return finish(object.takeError(), options.input);
  StringRef path = options.output.empty() ? "-" : StringRef(options.output);
  return finish(writeOutputFile(path,
                                [&](llvm::raw_ostream &os) {
                                  return objectyaml::writeYaml(*object, os);
                                }),
                options.input);
}

int objdump::readYaml(const Options &options) {
  auto buffer = readInputText(options.input);
  if (!buffer)
    return finish(buffer.takeError(), options.input);
  auto object = objectyaml::readYaml(**buffer);
  if (!object)
    return finish(object.takeError(), options.input);
  return finish(object::writeObject(*object, options.output), options.input);
}
