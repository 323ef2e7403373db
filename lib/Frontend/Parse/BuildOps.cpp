//===- BuildOps.cpp - Making ops of statements ----------------------------===//

#include "NameGenerator.h"
#include "Parse/Parser.h"
#include "Spelling.h"
#include "ane/Support/NearestName.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

void Parser::keepOpset(Operation *op) {
  if (!statement.opset.empty())
    op->setDiscardableAttr(mil::MILDialect::opsetAttrName,
                           builder.getStringAttr(statement.opset));
}

void Parser::keepSpelling(mil::ConstOp op, const TypedValue &value) {
  if (value.isFlat)
    op->setDiscardableAttr(flatAttrName, builder.getUnitAttr());
}

/// Whether a value is a number of the text, which is of no type of the text.
static bool isBareNumber(Type type) {
  return isa<IntegerType, FloatType>(type);
}

LogicalResult Parser::buildConst() {
  if (!statement.arguments.empty())
    return error(statement.arguments.front().name.position,
                 "const has no inputs; its value is the attribute 'val'");
  if (statement.results.size() != 1)
    return error(statement.op.position, "const has one result, not " +
                                            Twine(statement.results.size()));
  const Result &result = statement.results.front();

  TypedValue value;
  Position valueStart = {};
  SmallVector<AttributeEntry, 2> others;
  for (const AttributeEntry &entry : statement.attributes) {
    if (entry.name.text == "val") {
      value = entry.value;
      valueStart = entry.position;
    } else {
      others.push_back(entry);
    }
  }
  if (!value.attribute)
    return error(statement.op.position, "const needs the attribute 'val'");
  if (isBareNumber(value.type)) {
    std::string typed;
    llvm::raw_string_ostream os(typed);
    mil::printType(os, result.type, /*bareScalars=*/true);
    return errorBareValue(valueStart, typed + "(...)");
  }
  if (value.type != result.type)
    return error(result.name.position,
                 "'" + result.name.text + "' is declared as " +
                     mil::formatType(result.type) + ", its value is " +
                     mil::formatType(value.type));

  std::optional<llvm::StringRef> label = getLabel();
  auto op = mil::ConstOp::create(builder, builder.getUnknownLoc(), value.type,
                                 value.attribute, label, getResultNames(label),
                                 others.empty() ? DictionaryAttr()
                                                : makeDictionary(others));
  places.add(op, statement.op.position);
  keepSpelling(op, value);
  keepOpset(op);
  return define(result.name, op);
}

Value Parser::makeInlineConst(llvm::StringRef input, const TypedValue &value,
                              Position position) {
  auto op = mil::ConstOp::create(builder, builder.getUnknownLoc(), value.type,
                                 value.attribute, /*label=*/std::nullopt,
                                 /*result_names=*/{},
                                 /*text_attrs=*/nullptr);
  places.add(op, position);
  op->setDiscardableAttr(mil::MILDialect::inlineAttrName,
                         builder.getUnitAttr());
  keepSpelling(op, value);
  llvm::StringRef owner = statement.results.empty()
                              ? statement.op.text
                              : statement.results.front().name.text;
  inlineConsts.push_back({op, (owner + "_" + input).str()});
  return op;
}

void Parser::nameInlineConsts() {
  NameGenerator generator;
  for (auto &[op, base] : inlineConsts) {
    op.setResultNames(generator.make(base, [&](llvm::StringRef made) {
      return symbols.find(made) != nullptr;
    }));
    symbols.insert({op.getResultNames().front(), op, {}});
  }
  inlineConsts.clear();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The results of an op that always has the same number of them.
static std::optional<size_t> countResults(OperationName name) {
  if (name.hasTrait<OpTrait::OneResult>())
    return 1;
  if (name.hasTrait<OpTrait::ZeroResults>())
    return 0;
  return std::nullopt;
}

const Parser::OpInfo *Parser::lookupOp(llvm::StringRef name) {
  auto [entry, isNew] = opInfos.try_emplace(name);
  if (isNew) {
    std::optional<RegisteredOperationName> registered =
        RegisteredOperationName::lookup(("mil." + name).str(), context);
    if (registered)
      if (auto *op = registered->getInterface<mil::MILOp>())
        entry->second = OpInfo{*registered, op, countResults(*registered)};
  }
  return entry->second ? &*entry->second : nullptr;
}

LogicalResult Parser::unknownOp(const Token &name) {
  if (isControlFlow(name.text))
    return errorControlFlow(name.position);
  NearestName nearest(name.text);
  if (shouldSuggest())
    for (RegisteredOperationName op :
         context->getRegisteredOperationsByDialect("mil"))
      if (op.hasInterface<mil::MILOp>())
        nearest.consider(op.stripDialect());
  return error(name.position,
               "op '" + name.text + "' is not known" + nearest.suggestion());
}

const mil::ArgSpec *Parser::findInput(const mil::OpSpec &spec,
                                      llvm::StringRef name) {
  const mil::ArgSpec *arg =
      llvm::find_if(spec.args, [&](const mil::ArgSpec &candidate) {
        return candidate.name == name;
      });
  return arg == spec.args.end() ? nullptr : arg;
}

LogicalResult Parser::checkResultCount(const OpInfo &info) {
  size_t found = statement.results.size();
  size_t expected = info.numResults.value_or(found);
  if (expected == found)
    return success();
  return error(statement.op.position,
               statement.op.text + " has " + Twine(expected) +
                   (expected == 1 ? " result, not " : " results, not ") +
                   Twine(found));
}

FailureOr<size_t> Parser::claimInput(const mil::OpSpec &spec,
                                     const Token &name) {
  const mil::ArgSpec *arg = findInput(spec, name.text);
  if (!arg) {
    NearestName nearest(name.text);
    std::string known;
    for (const mil::ArgSpec &candidate : spec.args) {
      nearest.consider(candidate.name);
      known += (known.empty() ? "" : ", ") + candidate.name.str();
    }
    std::string hint = nearest.suggestion();
    return error(name.position,
                 spec.name + " has no input '" + name.text + "'" +
                     (hint.empty() ? "; it has " + known : hint));
  }
  size_t index = arg - spec.args.begin();
  if (inputs[index].isGiven)
    return error(name.position, "input '" + name.text + "' of " + spec.name +
                                    " is given twice");
  inputs[index].isGiven = true;
  return index;
}

LogicalResult Parser::bindArgument(const mil::OpSpec &spec,
                                   const Argument &argument) {
  FailureOr<size_t> index = claimInput(spec, argument.name);
  if (failed(index))
    return failure();
  if (argument.isList && !spec.args[*index].variadic)
    return error(argument.name.position, "input '" + argument.name.text +
                                             "' of " + spec.name +
                                             " takes one value, not a list");
  inputs[*index].first = argument.firstBinding;
  inputs[*index].count = argument.numBindings;
  bool allKnown = true;
  for (size_t i = 0; i < argument.numBindings; ++i) {
    Binding &binding = statement.bindings[argument.firstBinding + i];
    if (binding.value.attribute)
      continue;
    binding.resolved = lookupValue(binding.name, "value");
    allKnown &= binding.resolved != nullptr;
  }
  return success(allKnown);
}

LogicalResult Parser::bindAttributes(const mil::OpSpec &spec,
                                     DictionaryAttr &others) {
  // The operands of the constexpr ops of ios16 stand in the attribute list,
  // behind empty parentheses. Both forms are read for all of them.
  bool mayHoldInputs = spec.name.starts_with("constexpr_");
  SmallVector<AttributeEntry, 4> rest;
  for (const AttributeEntry &entry : statement.attributes) {
    const Token &name = entry.name;
    if (!findInput(spec, name.text)) {
      rest.push_back(entry);
      continue;
    }
    if (!mayHoldInputs)
      return error(name.position, "'" + name.text + "' is an input of " +
                                      spec.name +
                                      "; it belongs between the parentheses");
    FailureOr<size_t> index = claimInput(spec, name);
    if (failed(index))
      return failure();
    if (isBareNumber(entry.value.type))
      return errorBareValue(entry.position, isa<IntegerType>(entry.value.type)
                                                ? "int32(...)"
                                                : "fp16(...)");
    inputs[*index].first = statement.bindings.size();
    inputs[*index].count = 1;
    statement.bindings.push_back({{}, entry.value, name.position, {}});
  }
  if (!rest.empty())
    others = makeDictionary(rest);
  return success();
}

LogicalResult Parser::bindInputs(const mil::OpSpec &spec,
                                 DictionaryAttr &others) {
  inputs.assign(spec.args.size(), {});
  bool valid = true;
  for (const Argument &argument : statement.arguments)
    valid &= succeeded(bindArgument(spec, argument));
  valid &= succeeded(bindAttributes(spec, others));
  // An input that is lacking is most often one whose name is wrong.
  if (!valid)
    return failure();
  unsigned opset =
      mil::parseOpset(statement.opset)
          .value_or(mil::getOpset(builder.getInsertionBlock()->getParentOp()));
  for (auto [input, arg] : llvm::zip_equal(inputs, spec.args))
    if (!input.isGiven && arg.isRequiredIn(opset))
      valid &=
          succeeded(error(statement.op.position,
                          spec.name + " lacks its input '" + arg.name + "'"));
  return success(valid);
}

LogicalResult Parser::buildOp(const OpInfo &info) {
  const mil::OpSpec &spec = info.op->getOpSpec();
  DictionaryAttr others;
  bool valid = succeeded(checkResultCount(info));
  if (failed(bindInputs(spec, others)) || !valid)
    return failure();

  // Constants come in the order of the inputs, whatever order the text has, so
  // that the text that is printed gives the same ops again.
  OperationState state(builder.getUnknownLoc(), info.name);
  SmallVector<int32_t, 12> counts;
  for (auto [input, arg] : llvm::zip_equal(inputs, spec.args)) {
    for (const Binding &binding :
         ArrayRef(statement.bindings).slice(input.first, input.count))
      state.operands.push_back(
          binding.value.attribute
              ? makeInlineConst(arg.name, binding.value, binding.position)
              : binding.resolved);
    counts.push_back(input.count);
  }
  for (const Result &result : statement.results)
    state.types.push_back(result.type);
  std::optional<llvm::StringRef> label = getLabel();
  info.op->initProperties(state, label, getResultNames(label), counts);
  if (others)
    state.addAttribute(mil::MILDialect::textAttrsAttrName, others);
  Operation *op = builder.create(state);
  places.add(op, statement.op.position);
  keepOpset(op);
  for (auto [index, result] : llvm::enumerate(statement.results))
    valid &= succeeded(define(result.name, op->getResult(index)));
  return success(valid);
}

LogicalResult Parser::buildStatement() {
  if (statement.op.text == "const")
    return buildConst();
  if (const OpInfo *info = lookupOp(statement.op.text))
    return buildOp(*info);
  return unknownOp(statement.op);
}
