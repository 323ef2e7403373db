//===- Findings.cpp - What the check says of a small program --------------===//

#include "Findings.h"
#include "ane/Engine/Watch.h"
#include "gtest/gtest.h"

using namespace ane;
using namespace ane::engine;
using namespace ane::engine::test;

std::vector<std::string> test::findings(const Model &model) {
  std::vector<std::string> messages;
  auto program = loadBytes(model.container(td::Format::V7));
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return messages;
  }
  for (const Finding &finding : checkProgram(**program))
    messages.push_back(std::to_string(finding.task) + ": " + finding.message);
  return messages;
}

void test::clearHazards(td::RegisterImage &task) {
  for (Field field :
       {Field::SourceAliasConvSrc, Field::SourceAliasConvRslt,
        Field::SourceAliasPlanarSrc, Field::SourceAliasPlanarRslt,
        Field::ResultAliasConvSrc, Field::ResultAliasConvRslt,
        Field::ResultAliasPlanarSrc, Field::ResultAliasPlanarRslt})
    task.set(field, 0);
}
