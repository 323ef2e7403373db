//===- ParseProgram.cpp - Programs and functions --------------------------===//
//
//   program(1.0)
//   [buildInfo = ...]
//   {
//       func main<ios16>(type name, ...) [attributes] {
//           statements
//       } -> (name, ...);
//   }
//
//===----------------------------------------------------------------------===//

#include "Export/ExportCheck.h"
#include "Parse/Parser.h"

using namespace mlir;
using namespace ane;
using namespace ane::frontend;

LogicalResult Parser::parseHeader(ModuleOp module) {
  if (!token.isIdentifier("program"))
    return errorExpected("'program(1.N)' at the start of MIL text");
  advance();
  if (failed(expect(TokenKind::LParen, " behind 'program'")))
    return failure();
  if (!token.is(TokenKind::Float) && !token.is(TokenKind::Integer))
    return errorExpected("a version such as 1.0");
  if (!isKnownVersion(token.text))
    return error(token.position, "version " + token.text +
                                     " of MIL text is not known; known are "
                                     "1.0 and its successors 1.N");
  module->setAttr(mil::MILDialect::versionAttrName,
                  builder.getStringAttr(token.text));
  advance();
  if (failed(expect(TokenKind::RParen, " behind the version")))
    return failure();

  SmallVector<AttributeEntry, 2> attributes, others;
  if (failed(parseAttributes(attributes)))
    return failure();
  for (const AttributeEntry &entry : attributes) {
    if (entry.name.text == "buildInfo")
      module->setAttr(mil::MILDialect::buildInfoAttrName,
                      entry.value.attribute);
    else
      others.push_back(entry);
  }
  if (!others.empty())
    module->setAttr(mil::MILDialect::programAttrsAttrName,
                    makeDictionary(others));
  return success();
}

LogicalResult Parser::parseOpset(std::string &opset) {
  if (failed(expect(TokenKind::Less, " in front of the opset")))
    return failure();
  Position position = token.position;
  FailureOr<Token> name = expectIdentifier("an opset such as ios16");
  if (failed(name))
    return failure();
  if (!mil::parseOpset(name->text))
    return error(position, mil::describeUnknownOpset(name->text));
  opset = name->text.str();
  return expect(TokenKind::Greater, " behind the opset");
}

LogicalResult Parser::parseParameters(Block &body) {
  auto parameter = [&]() -> LogicalResult {
    Type type = parseType();
    if (!type)
      return failure();
    FailureOr<Token> name = expectIdentifier("the name of a parameter");
    if (failed(name))
      return failure();
    Value value = body.addArgument(type, locationOf(name->position));
    parameterNames.push_back(builder.getStringAttr(name->text));
    return define(*name, value);
  };
  parameterNames.clear();
  return parseSequence(TokenKind::LParen, TokenKind::RParen, parameter);
}

LogicalResult Parser::parseOutputs(Block &body) {
  Position arrow = token.position;
  if (failed(expect(TokenKind::Arrow, " behind the body of a function")))
    return failure();
  SmallVector<Value, 4> outputs;
  bool allKnown = true;
  auto output = [&]() -> LogicalResult {
    FailureOr<Token> name = expectIdentifier("the name of an output");
    if (failed(name))
      return failure();
    outputs.push_back(lookupValue(*name, "output"));
    allKnown &= outputs.back() != nullptr;
    return success();
  };
  if (failed(parseSequence(TokenKind::LParen, TokenKind::RParen, output)) ||
      failed(expect(TokenKind::Semicolon, " behind the outputs")))
    return failure();
  if (outputs.empty()) {
    (void)error(arrow, "a function has at least one output");
  } else if (allKnown) {
    builder.setInsertionPointToEnd(&body);
    mil::ReturnOp::create(builder, locationOf(arrow), outputs);
  }
  return success();
}

LogicalResult Parser::parseFunction(ModuleOp module) {
  if (!token.isIdentifier("func"))
    return errorExpected("'func' or '}'");
  advance();
  FailureOr<Token> name = expectIdentifier("the name of a function");
  std::string opset;
  if (failed(name) || failed(parseOpset(opset)))
    return failure();
  auto [previous, isNew] = functions.try_emplace(name->text, name->position);
  if (!isNew)
    (void)error(name->position,
                "function '" + name->text + "' is already defined",
                previous->second, "its first definition");

  builder.setInsertionPointToEnd(module.getBody());
  auto func =
      mil::FuncOp::create(builder, locationOf(name->position), name->text,
                          builder.getFunctionType({}, {}), opset);
  Block &body = func.getBody().emplaceBlock();
  symbols.clear();
  mayMissNames = false;
  SmallVector<AttributeEntry, 1> attributes;
  if (failed(parseParameters(body)) || failed(parseAttributes(attributes)) ||
      failed(expect(TokenKind::LBrace, " in front of the function body"))) {
    func.erase();
    return failure();
  }
  func.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  if (!attributes.empty())
    func.setTextAttrsAttr(makeDictionary(attributes));
  SmallVector<Attribute, 4> argAttrs;
  for (StringAttr parameter : parameterNames)
    argAttrs.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(mil::MILDialect::argNameAttrName, parameter)));
  func.setArgAttrsAttr(builder.getArrayAttr(argAttrs));

  builder.setInsertionPointToEnd(&body);
  while (!token.is(TokenKind::RBrace) && !token.is(TokenKind::EndOfFile) &&
         !shouldStop())
    parseStatement();
  if (failed(expect(TokenKind::RBrace, " at the end of the function")))
    return failure();
  if (failed(parseOutputs(body)))
    skipStatement();
  nameInlineConsts();
  if (!body.empty() && isa<mil::ReturnOp>(body.back()))
    func.updateFunctionType();
  return success();
}

void Parser::parseInto(ModuleOp module) {
  if (failed(parseHeader(module)) ||
      failed(expect(TokenKind::LBrace, " in front of the functions")))
    return;
  while (!token.is(TokenKind::RBrace) && !token.is(TokenKind::EndOfFile) &&
         !shouldStop()) {
    if (succeeded(parseFunction(module)))
      continue;
    bool skips = !token.is(TokenKind::EndOfFile);
    skipFunction();
    // What was skipped may well have had the end of the program.
    if (skips && token.is(TokenKind::EndOfFile))
      return;
  }
  if (shouldStop() ||
      failed(expect(TokenKind::RBrace, " at the end of the program")))
    return;
  if (!token.is(TokenKind::EndOfFile))
    (void)errorExpected("nothing behind the program");
}

OwningOpRef<ModuleOp> Parser::parseProgram() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(locationOf(token.position));
  parseInto(*module);
  places.locate(fileName);
  return module;
}
