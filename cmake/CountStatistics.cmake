# cmake -D INPUT=<declarations of passes> -D OUTPUT=<file> -P CountStatistics.cmake
#
# mlir-tblgen has no option for the type of statistics, and MLIR's own counts
# nothing where LLVM is built without assertions.
file(READ ${INPUT} declarations)
string(REPLACE "::mlir::Pass::Statistic" "::ane::PassStatistic" declarations
               "${declarations}")
file(WRITE ${OUTPUT} "${declarations}")
