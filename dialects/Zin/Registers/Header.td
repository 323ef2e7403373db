//===- Header.td - Descriptor header --------------------------------------===//

def TID : HeaderField<0, "Header[0]", "TID", 0, 16,
    "index of the task in the program, from 0", Verified>;
def HeaderNID : HeaderField<0, "Header[0]", "NID", 16, 8,
    "network id; 0 in files, the driver may patch it", Documented>;
def LNID : HeaderField<0, "Header[0]", "LNID", 24, 1,
    "set on every task but the first", Verified>;
def EON : HeaderField<0, "Header[0]", "EON", 25, 1,
    "end of network: set on the last task only", Verified>;

def ExeCycles : HeaderField<1, "Header[1]", "ExeCycles", 0, 16,
    "estimated time in 1024 cycles; a scheduling hint", Verified>;
def NextSize : HeaderField<1, "Header[1]", "NextSize", 16, 9,
    "words of the next descriptor minus 1, 0 on the last", Verified>;

def LogEvents : HeaderField<2, "Header[2]", "LogEvents", 0, 24,
    "event mask", Verified> {
  let values = LogEventValues;
}
def Exceptions : HeaderField<3, "Header[3]", "Exceptions", 0, 24,
    "always 0", Verified>;
def DebugLogEvents : HeaderField<4, "Header[4]", "DebugLogEvents", 0, 24,
    "debug event mask", Verified> {
  let values = DebugLogEventValues;
}
def DebugExceptions : HeaderField<5, "Header[5]", "DebugExceptions", 0, 24,
    "always 0", Verified>;

def DisallowAbort : HeaderField<6, "Header[6]", "DisallowAbort", 8, 1,
    "set where LinkOut is, but by an old compiler", Verified>;
def TDSkip : HeaderField<6, "Header[6]", "TDSkip", 9, 1, "never seen set",
    Documented>;
def KPC : HeaderField<6, "Header[6]", "KPC", 10, 1, "never seen set",
    Documented>;
def SPL : HeaderField<6, "Header[6]", "SPL", 11, 1,
    "first task of an uninterruptible group", Verified>;
def TSR : HeaderField<6, "Header[6]", "TSR", 12, 1,
    "last task of an uninterruptible group, equals TSE", Verified>;
def SPC : HeaderField<6, "Header[6]", "SPC", 13, 1,
    "group starts from an L2-resident result that has a spill image", Verified>;
def DPC : HeaderField<6, "Header[6]", "DPC", 14, 1,
    "group ends in an L2-resident result that has a spill image", Verified>;
def TSE : HeaderField<6, "Header[6]", "TSE", 15, 1,
    "last task of an uninterruptible group", Verified>;
def NextPriority : HeaderField<6, "Header[6]", "NextPriority", 16, 6,
    "never seen set", Documented>;
def TDE : HeaderField<6, "Header[6]", "TDE", 24, 1,
    "the header has an eleventh word, DTID", Verified>;
def SrcLoc : HeaderField<6, "Header[6]", "SrcLoc", 28, 1,
    "an operand is read from DRAM", Verified>;
def DstLoc : HeaderField<6, "Header[6]", "DstLoc", 29, 1,
    "the result is written to DRAM", Verified>;
def TQDis : HeaderField<6, "Header[6]", "TQDis", 31, 1, "never seen set",
    Documented>;

def NextPointer : HeaderField<7, "Header[7]", "NextPointer", 0, 32,
    "byte offset of the next descriptor in the text section, 0 on the last",
    Verified>;

def RBase0 : HeaderField<8, "Header[8]", "RBase0", 0, 5,
    "BAR of source 1", Verified>;
def RBE0 : HeaderField<8, "Header[8]", "RBE0", 5, 1,
    "BAR of source 1 is used", Verified>;
def RBase1 : HeaderField<8, "Header[8]", "RBase1", 6, 5,
    "BAR of source 2", Verified>;
def RBE1 : HeaderField<8, "Header[8]", "RBE1", 11, 1,
    "BAR of source 2 is used", Verified>;
def WBase : HeaderField<8, "Header[8]", "WBase", 12, 5,
    "BAR of the result", Verified>;
def WBE : HeaderField<8, "Header[8]", "WBE", 17, 1,
    "BAR of the result is used", Verified>;
def TBase : HeaderField<8, "Header[8]", "TBase", 18, 5,
    "BAR of the next descriptor, always 0: the text section", Verified>;
def TBE : HeaderField<8, "Header[8]", "TBE", 23, 1,
    "another descriptor follows", Verified>;
def ENE : HeaderField<8, "Header[8]", "ENE", 24, 3,
    "0 for a PE task, else log2 of the active NEs plus 1", Verified>;

def KBase0 : HeaderField<9, "Header[9]", "KBase0", 0, 5,
    "BAR of the coefficients: 1 constants, 3 scratch, or an operand", Verified>;
def KBE0 : HeaderField<9, "Header[9]", "KBE0", 5, 1,
    "BAR of the coefficients is used", Verified>;
def KBase1 : HeaderField<9, "Header[9]", "KBase1", 6, 5, "never seen set",
    Documented>;
def KBE1 : HeaderField<9, "Header[9]", "KBE1", 11, 1, "never seen set",
    Documented>;
def KBase2 : HeaderField<9, "Header[9]", "KBase2", 12, 5, "never seen set",
    Documented>;
def KBE2 : HeaderField<9, "Header[9]", "KBE2", 17, 1, "never seen set",
    Documented>;
def KBase3 : HeaderField<9, "Header[9]", "KBase3", 18, 5, "never seen set",
    Documented>;
def KBE3 : HeaderField<9, "Header[9]", "KBE3", 23, 1, "never seen set",
    Documented>;

def DTID : HeaderField<10, "Header[10]", "DTID", 0, 16,
    "id of the task that wrote the run-time kernel; present when TDE is set",
    Verified>;
