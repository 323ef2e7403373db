//===- ane-hint-table.cpp - Lists fields without effect on results --------===//
//
// For scripts/vs-apple: the classes in which programs may differ, as JSON.
//
//===----------------------------------------------------------------------===//

#include "ane/Engine/FieldHints.h"
#include "llvm/Support/JSON.h"

using namespace ane;

int main() {
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.array([&] {
    for (const engine::HintClass &hints : engine::hintClasses()) {
      if (!hints.isFree)
        continue;
      json.object([&] {
        json.attribute("title", hints.title);
        json.attribute("reason", hints.reason);
        json.attributeArray("fields", [&] {
          for (td::Field field : hints.fields) {
            const td::FieldInfo &info = td::fieldInfo(field);
            for (unsigned index = 0; index < info.count; ++index)
              json.value(info.fullName(index));
          }
        });
      });
    }
  });
  llvm::outs() << '\n';
}
