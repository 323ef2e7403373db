//===- FieldHints.cpp - Fields without effect on results ------------------===//

#include "ane/Engine/FieldHints.h"

using namespace ane;
using namespace ane::engine;
using td::Field;

namespace {

constexpr Field links[] = {
    Field::HeaderNID,   Field::LNID,        Field::EON,
    Field::NextSize,    Field::LogEvents,   Field::DebugLogEvents,
    Field::NextPointer, Field::TBase,       Field::TBE,
    Field::TaskInfoID,  Field::TaskInfoQ,   Field::TaskInfoNID,
    Field::TID,         Field::NextPriority};

constexpr Field estimates[] = {Field::ExeCycles};

// TaskOrder looks at some.
constexpr Field interruption[] = {Field::DisallowAbort, Field::SPL, Field::TSR,
                                  Field::SPC,           Field::DPC, Field::TSE};

constexpr Field hazards[] = {Field::TDE,
                             Field::DTID,
                             Field::NextOverlaps,
                             Field::Src1DMADependency,
                             Field::Src2DMADependency,
                             Field::SourceDependent,
                             Field::Source2Dependent,
                             Field::SourceAliasConvSrc,
                             Field::SourceAliasConvRslt,
                             Field::SourceAliasPlanarSrc,
                             Field::SourceAliasPlanarRslt,
                             Field::ResultAliasConvSrc,
                             Field::ResultAliasConvRslt,
                             Field::ResultAliasPlanarSrc,
                             Field::ResultAliasPlanarRslt,
                             Field::DstDependency};

constexpr Field walk[] = {
    Field::TileHeight,   Field::PatchLog2W,      Field::PatchLog2H,
    Field::Src1Stream,   Field::Src2Stream,      Field::SmallSource,
    Field::ShPref,       Field::ShMin,           Field::ShMax,
    Field::AccDoubleBuf, Field::ResultL2BfrMode, Field::DstL2BfrMode};

constexpr Field caches[] = {Field::CoeffCrH,           Field::CoeffCacheHint,
                            Field::CoeffPrefetch,      Field::StreamCrH,
                            Field::StreamCacheHint,    Field::Src1DMACrH,
                            Field::Src1DMACacheHint,   Field::Src1DMAHintReuse,
                            Field::Src1DMAHintNoReuse, Field::Src2DMACrH,
                            Field::Src2DMACacheHint,   Field::Src2DMAHintReuse,
                            Field::Src2DMAHintNoReuse, Field::DstCrH,
                            Field::DstCacheHint};

// Marks that say what is next to a task, which TaskMarks looks at, whether
// there are streams of operands, streams that are off, and what is not known.
constexpr Field implied[] = {
    Field::LinkOut,        Field::LinkIn,         Field::SrcLoc,
    Field::DstLoc,         Field::StreamBiasBase, Field::StreamPostScaleBase,
    Field::StreamLutBase,  Field::DstUnknown22,   Field::DstUnknown24,
    Field::DPECategory,    Field::SrcUnknown40,   Field::MACUnknown20,
    Field::DstZeroPadLast, Field::DstZeroPadFirst};

const HintClass classes[] = {
    {"links and events",
     "which descriptor follows, ids, event masks: tasks run in the order of "
     "the stream",
     links},
    {"estimates", "what the driver schedules by", estimates},
    {"groups", "where a program may be interrupted and resumed", interruption},
    {"hazards",
     "which older task a source or result waits for, or may overlap: tasks run "
     "one after the other",
     hazards},
    {"walk",
     "how many rows are in flight, in which patches an engine walks, and from "
     "where operands stream",
     walk},
    {"caches", "hints to the memory system", caches},
    {"implied",
     "they follow from other fields, or are the same in all tasks of an engine",
     implied, /*isFree=*/false},
};

} // namespace

llvm::ArrayRef<HintClass> engine::hintClasses() { return classes; }
