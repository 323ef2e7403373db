//===- Parser.h - MIL text to mil dialect -----------------------*- C++ -*-===//
//
// A recursive-descent parser that makes ops as it reads: one pass, one token of
// lookahead, no tree in between. A statement is first read as a whole, into
// buffers that are reused, and then resolved; so a wrong statement leaves no
// op behind, and reading goes on with the next one.
//
// Nothing recurses as deep as the input wants: tensor literals are read in a
// loop, and types, which also bound the depth of other literals, nest at most
// maxNesting deep.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FRONTEND_PARSE_PARSER_H
#define ANE_LIB_FRONTEND_PARSE_PARSER_H

#include "Lexer.h"
#include "Parse/NameTable.h"
#include "Parse/OpPlaces.h"
#include "ScalarType.h"
#include "ane/Frontend/Import.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace ane::frontend {

class Parser {
public:
  Parser(llvm::StringRef text, llvm::StringRef fileName,
         mlir::MLIRContext *context, const ImportOptions &options);

  /// What could be read of the program. After errors it lacks wrong statements
  /// and what depends on them.
  mlir::OwningOpRef<mlir::ModuleOp> parseProgram();

  unsigned getNumErrors() const { return numErrors; }

private:
  //===--------------------------------------------------------------------===//
  // Tokens and errors: Parser.cpp
  //===--------------------------------------------------------------------===//

  // The few steps that every token takes are inline.

  void advance() {
    unsigned quotes = token.is(TokenKind::String) ? 2 : 0;
    lastEnd = token.position;
    lastEnd.column += static_cast<unsigned>(token.text.size()) + quotes;
    lexer.lex(token);
  }
  bool consumeIf(TokenKind kind) {
    if (!token.is(kind))
      return false;
    advance();
    return true;
  }
  /// Reports an unexpected token unless it is of the given kind, which is
  /// consumed. `context` completes "expected ')' ...".
  llvm::LogicalResult expect(TokenKind kind, const llvm::Twine &context) {
    if (consumeIf(kind))
      return llvm::success();
    return errorExpected(describe(kind) + context);
  }
  llvm::FailureOr<Token> expectIdentifier(const llvm::Twine &what) {
    if (!token.is(TokenKind::Identifier))
      return errorExpected(what);
    Token name = token;
    advance();
    return name;
  }
  /// "expected WHAT, found TOKEN" at the current token. Like all of these it
  /// returns failure.
  llvm::LogicalResult errorExpected(const llvm::Twine &what);

  llvm::LogicalResult error(Position position, const llvm::Twine &message);
  /// An error that has to do with an earlier or later place.
  llvm::LogicalResult error(Position position, const llvm::Twine &message,
                            Position notePosition, const llvm::Twine &note);
  /// A value stands without its type; `typed` is how to write it.
  llvm::LogicalResult errorBareValue(Position position,
                                     const llvm::Twine &typed);
  void warn(Position position, const llvm::Twine &message);
  /// Whether there were as many errors as the caller wants to see.
  bool shouldStop() const {
    return options.errorLimit != 0 && numErrors >= options.errorLimit;
  }
  /// Whether to look for a better spelling, which takes time.
  bool shouldSuggest() const { return numErrors < 20; }
  mlir::Location locationOf(Position position);

  /// Continues behind the next ';', or at the end of the function.
  void skipStatement();
  /// Continues behind the end of the function, `} -> (...);`.
  void skipFunction();
  /// Continues behind what closes the bracket at the current token.
  void skipBrackets(TokenKind open, TokenKind close);
  /// Continues behind blocks, `name(...) { ... } -> (...), ...`. The name, what
  /// is behind it and the outputs may be missing.
  void skipBlocks();

  //===--------------------------------------------------------------------===//
  // Types: ParseTypes.cpp
  //===--------------------------------------------------------------------===//

  /// A type; null after an error.
  mlir::Type parseType(unsigned depth = 0);
  mlir::Type parseTensorType(Position start);
  mlir::Type parseTensorBufferType(Position start);
  /// `[extent, extent, ...]`.
  llvm::FailureOr<llvm::SmallVector<int64_t, 6>> parseShape(Position start);
  /// What a tensor begins with behind its name: `<fp16,`.
  mlir::Type parseElementOf(llvm::StringRef type);
  /// `name=`.
  llvm::LogicalResult parseLayoutKey(llvm::StringRef name);
  /// `, name=[number, ...]`.
  llvm::FailureOr<llvm::SmallVector<int64_t, 6>>
  parseLayoutEntry(llvm::StringRef name);
  mlir::Type parseDType();
  llvm::FailureOr<int64_t> parseDimension();
  mlir::Type parseCompoundType(unsigned depth);
  /// Says what should stand in the place of a name that is no type.
  llvm::LogicalResult errorNoType(const Token &name);
  /// Whether a result list, not an op name, starts at the current token.
  bool startsType();
  /// Whether `name<opset>(` starts at the current token.
  bool startsOpOfOpset() const;

  //===--------------------------------------------------------------------===//
  // Values: ParseValues.cpp, ParseLiterals.cpp
  //===--------------------------------------------------------------------===//

  struct TypedValue {
    mlir::Type type;
    mlir::Attribute attribute; ///< null after an error
    /// One pair of brackets held the elements of all dimensions.
    bool isFlat = false;
  };

  /// `type(literal)`.
  TypedValue parseValue();
  /// The part of a value behind its type, parentheses included.
  mlir::Attribute parseValueOf(mlir::Type type, Position start);
  mlir::Attribute parseBlobFile(mlir::RankedTensorType type, Position start);
  /// Where the elements of a constant are: a file, and a place in it.
  struct BlobPlace {
    std::optional<Token> path;
    std::optional<uint64_t> offset;
  };
  /// One of both, as in `offset = uint64(64)`.
  llvm::LogicalResult parseBlobEntry(BlobPlace &place);
  mlir::Attribute parseTensorLiteral(mlir::RankedTensorType type);
  mlir::Attribute parseStringTensor(mlir::RankedTensorType type);
  /// The brackets of a tensor literal; `element` reads one element.
  llvm::LogicalResult
  parseElements(mlir::RankedTensorType type,
                llvm::function_ref<llvm::LogicalResult()> element);
  /// The rest of a tensor literal that is flat, from its first element on.
  llvm::LogicalResult
  parseFlatElements(mlir::RankedTensorType type,
                    llvm::function_ref<llvm::LogicalResult()> element);
  /// A literal of a type that is no tensor, or of a tensor inside one.
  mlir::Attribute parseNestedLiteral(mlir::Type type);
  mlir::Attribute parseTupleLiteral(mlir::TupleType type);
  mlir::Attribute parseDictLiteral(mil::DictType type);
  mlir::Attribute parseListLiteral(mil::ListType type);
  mlir::Attribute parseNestedTensor(mlir::RankedTensorType type, unsigned dim);
  mlir::Attribute parseNestedScalar(mlir::Type elementType);
  /// `open entry, entry, ... close`, with no entry allowed.
  llvm::LogicalResult
  parseSequence(TokenKind open, TokenKind close,
                llvm::function_ref<llvm::LogicalResult()> entry);

  struct Scalar : ScalarType {
    using ScalarType::ScalarType;
    /// The first number that is finite in the text and not in this type.
    std::optional<Token> overflow;
  };

  bool isNumber() const;
  /// The bits of the scalar at the current token, which is no string.
  llvm::FailureOr<uint64_t> parseScalar(Scalar &scalar);
  llvm::FailureOr<uint64_t> parseFloatScalar(Scalar &scalar);
  llvm::FailureOr<uint64_t> parseIntegerScalar(Scalar &scalar);
  llvm::FailureOr<uint64_t> parseBareScalar(Scalar &scalar);
  llvm::LogicalResult errorScalar(const Scalar &scalar);
  void warnOverflow(const Scalar &scalar);
  /// The content of the string at the current token.
  mlir::StringAttr parseString();

  /// One entry of an attribute list.
  struct AttributeEntry {
    Token name;
    TypedValue value;
    Position position; ///< of the value
  };

  /// `[name = value, ...]` if there is one. Where `label` is given, it is set
  /// to the string of the entry `name`, which is then none of the entries.
  llvm::LogicalResult
  parseAttributes(llvm::SmallVectorImpl<AttributeEntry> &entries,
                  std::optional<Token> *label = nullptr);
  /// `string("...")` or `tensor<string, []>("...")`.
  llvm::FailureOr<Token> parseLabel(const Token &name);
  TypedValue parseAttributeValue();
  llvm::LogicalResult checkUnique(llvm::ArrayRef<AttributeEntry> entries);
  mlir::DictionaryAttr makeDictionary(llvm::ArrayRef<AttributeEntry> entries);

  //===--------------------------------------------------------------------===//
  // Statements: ParseStatements.cpp, BuildOps.cpp, Symbols.cpp
  //===--------------------------------------------------------------------===//

  struct Result {
    mlir::Type type;
    Token name;
  };

  /// What is bound to an input: the name of a value, or a value written in
  /// place.
  struct Binding {
    Token name;
    TypedValue value;
    Position position;
    mlir::Value resolved; ///< what the name stands for
  };

  /// `name = binding` or `name = (binding, ...)`.
  struct Argument {
    Token name;
    bool isList;
    size_t firstBinding;
    size_t numBindings;
  };

  /// The bindings of an input of the op.
  struct BoundInput {
    bool isGiven = false;
    size_t first = 0;
    size_t count = 0;
  };

  /// A statement as read. One object serves all, to keep its memory.
  struct Statement {
    llvm::SmallVector<Result, 2> results;
    Token op;
    /// What the text names behind the op in '<' and '>'; empty if nothing.
    std::string opset;
    llvm::SmallVector<Argument, 12> arguments;
    llvm::SmallVector<Binding, 16> bindings;
    llvm::SmallVector<AttributeEntry, 4> attributes;
    /// The string of the attribute `name`.
    std::optional<Token> label;

    void clear();
  };

  /// An op of the dialect, looked up once by name.
  struct OpInfo {
    mlir::OperationName name;
    const mil::MILOp::Concept *op;
    /// Of an op that always has the same number of results.
    std::optional<size_t> numResults;
  };

  void parseStatement();
  llvm::LogicalResult readStatement();
  llvm::LogicalResult readResults();
  llvm::LogicalResult readArguments();
  llvm::FailureOr<Binding> readBinding();

  llvm::LogicalResult buildStatement();
  llvm::LogicalResult buildConst();
  llvm::LogicalResult buildOp(const OpInfo &info);
  llvm::LogicalResult checkResultCount(const OpInfo &info);
  llvm::LogicalResult bindInputs(const mil::OpSpec &spec,
                                 mlir::DictionaryAttr &others);
  /// The index of an input, which must exist and be given once.
  llvm::FailureOr<size_t> claimInput(const mil::OpSpec &spec,
                                     const Token &name);
  llvm::LogicalResult bindArgument(const mil::OpSpec &spec,
                                   const Argument &argument);
  /// Binds the inputs among the attributes; `others` are the rest.
  llvm::LogicalResult bindAttributes(const mil::OpSpec &spec,
                                     mlir::DictionaryAttr &others);
  static const mil::ArgSpec *findInput(const mil::OpSpec &spec,
                                       llvm::StringRef name);
  const OpInfo *lookupOp(llvm::StringRef name);
  llvm::LogicalResult unknownOp(const Token &name);
  /// Whether an op of this name has blocks.
  static bool isControlFlow(llvm::StringRef op);
  /// Whether a block starts at the current token.
  bool startsBlock() const;
  llvm::LogicalResult errorControlFlow(Position position);
  /// Keeps in an op the opset that the statement names.
  void keepOpset(mlir::Operation *op);
  /// Keeps in a constant how its value was written.
  void keepSpelling(mil::ConstOp op, const TypedValue &value);
  mlir::Value makeInlineConst(llvm::StringRef input, const TypedValue &value,
                              Position position);

  /// Puts a name into scope. A second definition is an error.
  llvm::LogicalResult define(const Token &name, mlir::Value value);
  /// The value of a name; null, after an error, if there is none. `kind` says
  /// what the name is used as.
  mlir::Value lookupValue(const Token &name, llvm::StringRef kind);
  /// Where a name is defined in the rest of the function.
  std::optional<Position> findLaterDefinition(llvm::StringRef name) const;
  /// The label of the statement, without escapes; it is valid until the next
  /// call.
  std::optional<llvm::StringRef> getLabel();
  /// The names of the results of the statement with this label; none where
  /// mil::getResultName finds them in it. They are valid until the next
  /// statement.
  llvm::ArrayRef<std::string>
  getResultNames(std::optional<llvm::StringRef> label);
  /// Names the constants that stood inside other ops.
  void nameInlineConsts();

  //===--------------------------------------------------------------------===//
  // Functions: ParseProgram.cpp
  //===--------------------------------------------------------------------===//

  /// All of a program, into a module.
  void parseInto(mlir::ModuleOp module);
  llvm::LogicalResult parseHeader(mlir::ModuleOp module);
  llvm::LogicalResult parseFunction(mlir::ModuleOp module);
  llvm::LogicalResult parseOpset(std::string &opset);
  llvm::LogicalResult parseParameters(mlir::Block &body);
  llvm::LogicalResult parseOutputs(mlir::Block &body);

  mlir::MLIRContext *context;
  const ImportOptions &options;
  mlir::OpBuilder builder;
  mlir::StringAttr fileName;
  Lexer lexer;
  Token token;
  /// Where the token in front of it ends.
  Position lastEnd;

  unsigned numErrors = 0;
  unsigned numWarnings = 0;
  /// A statement so wrong that the names it defines are not known. After it an
  /// unknown name is no new error.
  bool mayMissNames = false;
  /// The value that was read last had a flat literal.
  bool wasFlat = false;

  // What was read before, by its text: types, and values of a type.
  llvm::DenseMap<llvm::StringRef, mlir::Type> types;
  llvm::DenseMap<std::pair<mlir::Type, llvm::StringRef>, mlir::Attribute>
      values;
  llvm::DenseMap<llvm::StringRef, std::optional<OpInfo>> opInfos;
  llvm::StringMap<Position> functions;
  OpPlaces places;

  // Of the current function.
  llvm::SmallVector<mlir::StringAttr, 4> parameterNames;
  NameTable symbols;
  llvm::SmallVector<std::pair<mil::ConstOp, std::string>> inlineConsts;

  // Of the current statement.
  Statement statement;
  std::string unescapedLabel;
  llvm::SmallVector<std::string, 2> resultNames;
  llvm::SmallVector<BoundInput, 12> inputs;
};

} // namespace ane::frontend

#endif // ANE_LIB_FRONTEND_PARSE_PARSER_H
