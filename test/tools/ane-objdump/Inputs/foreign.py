#!/usr/bin/python3
"""Writes containers as other compilers may have: foreign.py FOLDER

Written from the description of the format, not with the library under test.
Each is one convolution y[o] = 2 (x[0] + x[1] + x[2]) in a spelling of Apple's
compilers, then extended or spoilt in one way. The names of those that can be
run are written to FOLDER/run.txt, of those that have tasks to FOLDER/all.txt.
"""
import pathlib
import struct
import sys

PAGE = 0x4000
TYPES = [
    "void:t1=1", "int8:t2=r2;0;127", "uint8:t3=r1;0;255", "int16:t4=r1;-32768;32767",
    "float16:t5=r1;2;0", "float:t6=r1;4;0", "raw10:t7=r1;-512;511", "lut:t8=",
    "uint4:t9=r1;0;15", "uint6:t10=r1;0;63", "uint1:t11=r1;0,1", "uint2:t12=r1;0;3",
    "packed10:t13=r1;-512;511", "y10:t14=r1;-512;511", "uint16:t15=r1;0;65535",
    "e4m3:t16=r1;1;0", "e5m2:t17=r1;2;0", "other18:t18=", "other19:t19=", "other20:t20=",
    "other21:t21=", "other22:t22=", "int4:t23=r1;-8;7", "other24:t24=r1;0;1",
]  # fmt: skip


def align(value, step):
    return -value % step + value


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def record(address, *values):
    return words((len(values) - 1) << 26 | address, *values)


def task(source, result, lanes=(0, 0x40, 0x80), extended=False):
    """A 1x1 convolution of three channels and one pixel."""
    enabled = [0x81] * len(lanes) + [0x80] * (16 - len(lanes))
    bases = list(lanes) + [0] * (16 - len(lanes))
    bars = source | 1 << 5 | result << 12 | 1 << 17 | 3 << 24
    flags = 0x30009800 | (1 << 24 if extended else 0)
    header = [0x02000000, 0, 0x42A, 0, 0xFFF86A, 0, flags, 0, bars, 0x21]
    return (
        words(*header, *([0] if extended else []))
        + record(0x1F800, 0x40, 0, *enabled, *bases, *[0x40] * 16, *[0x80] * 4, *[0] * 4, *[0x40] * 4)
        + record(0, 0x10001, 1, 0x22, 3, 3, 0x10001, 1, 0x5000A021, 0x2041, 0x10001, 1, 0, 0, 0x144405, 0x100000, 0)
        + record(0x13800, 0x33881, 0x8880, 0, 0x40, 0x40, 0xC0, 0xC0, *[0] * 7, 0x1002031, 0, 0x100, *[0] * 11)
        + record(0x4800, 0, 0x500172, 0, 0x10, 0x30, 0x30, 0x30, *[0] * 5, 0x50017A, 0x30, *[0] * 4)
        + record(0x8800, *[0] * 4)
        + record(0xC800, 0x82, 0x101C00, 0, 0, 0x3C00)
        + record(0x17800, 0x40000C1, 0, 0x40, 0x40, 0xC0, 0xC0, 0x1302031)
    )


TASK_WORDS = len(task(4, 5)) // 4
COEFFICIENTS = (struct.pack("<3e", 2, 2, 2) + bytes(58)) * 3


class Section:
    def __init__(self, segment, name, size, flags, align=14, data=None, reserved=(0, 0, 0)):
        self.segment, self.name, self.size, self.flags = segment, name, size, flags
        self.align, self.data, self.reserved = align, data, reserved
        self.relocations, self.address, self.offset = [], 0, 0


class Segment:
    def __init__(self, name, protection, flags, *sections, size=None):
        self.name, self.protection, self.flags = name, protection, flags
        self.sections, self.size, self.address, self.offset, self.filesize = list(sections), size, 0, 0, 0


class Port:
    def __init__(self, name, section, direction, symbol=None):
        self.name, self.section, self.direction = name, section, direction
        self.symbol = symbol or (name if direction == 1 else name + "@output")


class Container:
    """Defaults are those of macOS 26; the methods of variations change them."""

    def __init__(self):
        self.flags, self.cpusubtype, self.filetype = 0x200000, 4, 2
        self.text = Section("__TEXT", "__text", None, 0x28, data=task(4, 5))
        self.const = Section("__TEXT", "__const", None, 0x26, align=6, data=COEFFICIENTS)
        self.input = Section("__FVMLIB", "__const", 0xC0, 0x21)
        self.output = Section("__FVMLIB", "__data", 0xC0, 0x23)
        self.bss = Section("__DATA", "__bss", PAGE, 0x25, align=6)
        self.ports = [Port("image", self.input, 1), Port("probs", self.output, 2)]
        self.segments = [
            Segment("__FVMLIB", 1, 6, self.input),
            Segment("__FVMLIB", 2, 6, self.output),
            Segment("__DATA", 3, 4, self.bss),
            Segment("__TEXT", 5, 0, self.text, self.const),
        ]
        self.lanes = [(f"K{'5A' * 32}_ne_{i}", "const", 0x40 * i, 2) for i in range(3)]
        self.kernel = "const"
        self.text.relocations = [(0x74 + 4 * i, "const", 0x05) for i in range(3)]
        self.port_command = 0x40
        self.program_words, self.operand_words = 0x21A, 0x34A
        self.properties = [(9, bytes(8))]
        self.property_count = None
        self.state_tail = b""
        self.operand_tail = b""
        self.programs = [("net", 0, TASK_WORDS, 1, {})]
        self.operands = [(0, "net", {}), (1, "net", {})]
        self.banner = "ANEC v1\nzin_ane_compiler v9.509.0\n\t-t h13\n" + "\t--some-option=yes\n" * 98
        self.banner_end = b"\0"
        self.types = 15
        self.before, self.between, self.after = [], [], []
        self.notes = []
        self.symbols_reversed = False
        self.more_symbols = []
        self.strings_prefix, self.strings_suffix = b"\0", b""
        self.tables_last = False
        self.trailing = b""
        self.gap = None
        self.cover_header = False

    def find(self, name):
        return getattr(self, name) if isinstance(name, str) else name

    def all_sections(self):
        return [s for segment in self.segments for s in segment.sections]

    def ordinal(self, section):
        sections = self.all_sections()
        return sections.index(section) + 1 if section in sections else 0

    def place(self):
        address = 0x30000000
        for segment in self.segments:
            segment.address = address
            for section in segment.sections:
                section.size = len(section.data) if section.size is None else section.size
                address = align(address, 1 << min(section.align, 14))
                section.address = address
                address += section.size
            segment.size = align(address - segment.address, PAGE) if segment.size is None else segment.size
            address = align(segment.address + max(segment.size, 1), PAGE)

    def place_contents(self, offset):
        for segment in self.segments:
            if not any(s.data is not None for s in segment.sections):
                continue
            segment.offset, segment.filesize = offset, segment.size
            for section in segment.sections:
                section.offset = offset + section.address - segment.address if section.data is not None else 0
            offset += segment.size
        return offset

    def thread_program(self, name, entry, task_words, tasks, bars):
        end = 0x10 + 4 * self.program_words
        table = {0: self.text.address, 1: self.find(self.kernel).address, 3: self.bss.address}
        if not any(self.bss in s.sections for s in self.segments):
            table[3] = 0
        for index, port in enumerate(self.ports):
            table[4 + index] = port.section.address
        table.update({k: v if isinstance(v, int) else v.address for k, v in bars.items()})
        state = bytearray(0x850)
        for bar, value in table.items():
            struct.pack_into("<Q", state, 8 * bar, value)
        struct.pack_into("<QII", state, 0x800, self.text.address + entry, task_words - 1, tasks)
        struct.pack_into("<I", state, 0x814, 0xFFFF)
        struct.pack_into("<I", state, 0x82C, end)
        struct.pack_into("<QQ", state, 0x840, 0x11, tasks + 3)
        if self.program_words > 0x214:
            count = len(self.properties) if self.property_count is None else self.property_count
            state += struct.pack("<Q", count)
            for number, value in self.properties:
                state += struct.pack("<II", number, len(value)) + value
            state += self.state_tail
        assert len(state) + 0x10 <= end, "the properties need more state"
        state += bytes(end - 0x10 - len(state))
        return self.command(4, words(1, self.program_words) + bytes(state) + name.encode() + b"\0")

    def thread_operand(self, index, procedure, changes):
        port = self.ports[index]
        end = 0x10 + 4 * self.operand_words
        symbol = end + len(procedure) + 1
        fields = {
            0x10: 3, 0x14: port.direction, 0x18: end, 0x20: symbol, 0x24: 5,
            0x28: 1, 0x2C: 3, 0x30: 1, 0x34: 1, 0x38: 1,
            0x50: 0xC0, 0x58: 0x40, 0x60: 0x40, 0x68: 2, 0x70: 0xC0,
            0x78: 1, 0x7C: symbol + len(port.symbol) + 1, 0x80: 0xC0,
        }  # fmt: skip
        fields.update(changes)
        state = bytearray(4 * self.operand_words)
        for offset, value in fields.items():
            struct.pack_into("<I", state, offset - 0x10, value)
        state[0x78 : 0x78 + len(self.operand_tail)] = self.operand_tail
        names = "\0".join([procedure, port.symbol, port.name, ""]).encode()
        return self.command(4, words(3, self.operand_words) + bytes(state) + names)

    @staticmethod
    def command(number, body):
        size = align(8 + len(body), 8)
        return words(number, size) + body + bytes(size - 8 - len(body))

    def segment_command(self, segment):
        offset, size, memory = segment.offset, segment.filesize, segment.size
        if self.cover_header and size:
            offset, size, memory = 0, offset + size, offset + memory
        body = struct.pack("<16sQQQQIIII", segment.name.encode(), segment.address, memory, offset, size,
                           segment.protection, segment.protection, len(segment.sections), segment.flags)  # fmt: skip
        for s in segment.sections:
            flags = s.flags | (0x100 if s.relocations else 0)
            body += struct.pack("<16s16sQQIIIIIIII", s.name.encode(), s.segment.encode(), s.address, s.size, s.offset,
                                s.align, s.reloff, len(s.relocations), flags, *s.reserved)  # fmt: skip
        return self.command(0x19, body)

    def port_commands(self):
        for port in self.ports:
            if self.port_command == 0x40:
                yield self.command(0x40, struct.pack("<QQ", 0x18, port.section.address) + port.name.encode() + b"\0")
            else:
                yield self.command(6, words(0x14, 0, port.section.address) + port.name.encode() + b"\0")

    def symbols(self):
        result = []
        for name, section, offset, desc in self.lanes:
            section = self.find(section)
            result.append((name, 0xF, self.ordinal(section), desc, section.address + offset))
        for port in self.ports:
            result.append((port.name, 0xF, self.ordinal(port.section), 2 * (port.direction == 1), port.section.address))
        result += [(name, 0x80, 0, 0, 0) for name in TYPES[: self.types]]
        for i, port in enumerate(self.ports):
            k = self.types + 1 + 5 * i
            shape = f"{port.name}:t{k}=ar1;0;1;{k+1}=s192n:ar1;0;3;{k+2}=s64c:ar1;0;1;{k+3}=s64h:ar1;0;1;{k+4}=s2w:5"
            result.append((shape, 0x20, 0, k, 0))
        result += self.more_symbols
        return result[::-1] if self.symbols_reversed else result

    def commands(self, symbol_command):
        guard = self.command(0x19, struct.pack("<16sQQQQIIII", b"__PAGEZERO", 0, PAGE, 0, 0, 0, 0, 0, 4))
        return [
            *self.before, guard,
            *[self.segment_command(s) for s in self.segments],
            *self.port_commands(),
            *self.between,
            *[self.thread_program(*program) for program in self.programs],
            *[self.thread_operand(*operand) for operand in self.operands],
            self.command(8, self.banner.encode() + self.banner_end),
            *self.notes,
            symbol_command,
            *self.after,
        ]  # fmt: skip

    def build(self):
        self.place()
        for section in self.all_sections():
            section.reloff = 0
        head = 0x20 + sum(map(len, self.commands(bytes(24))))
        symbols, strings = self.symbols(), bytearray(self.strings_prefix)
        table = b""
        for name, kind, section, desc, value in symbols:
            table += struct.pack("<IBBHQ", len(strings), kind, section, desc, value)
            strings += name.encode() + b"\0"
        strings += self.strings_suffix
        tables = len(table) + len(strings) + 8 + sum(8 * len(s.relocations) for s in self.all_sections())
        contents = PAGE * 2 if self.tables_last else align(head + tables, PAGE)
        end = self.place_contents(contents)
        symoff = end if self.tables_last else head
        stroff = symoff + len(table)
        reloff = align(stroff + len(strings), 8)
        data = bytearray(max(end, reloff + 0x100 if self.tables_last else 0))
        for section in self.all_sections():
            section.reloff = reloff if section.relocations else 0
            for place, target, bits in section.relocations:
                number = target if isinstance(target, int) else self.ordinal(self.find(target))
                struct.pack_into("<II", data, reloff, place, number | bits << 24)
                reloff += 8
        commands = self.commands(words(2, 24, symoff, len(symbols), stroff, len(strings)))
        header = words(0xBEEFFACE, 0x80, self.cpusubtype, self.filetype, len(commands), sum(map(len, commands)), self.flags, 0)
        data[:head] = header + b"".join(commands)
        data[symoff : symoff + len(table)] = table
        data[stroff : stroff + len(strings)] = strings
        for section in self.all_sections():
            if section.data is not None:
                data[section.offset : section.offset + len(section.data)] = section.data
        if self.gap is not None:
            data[contents - len(self.gap) : contents] = self.gap
        return bytes(data) + self.trailing


def macos14():
    c = Container()
    c.segments = [c.segments[3], c.segments[0], c.segments[1]]
    return c


def v9509():
    """Coefficients in __KERN_n, scratch first, one note, 24 types, sentinels."""
    c = Container()
    c.types = 24
    c.const.data, c.const.size = bytes(PAGE), None
    c.kern0 = Section("__KERN_0", "__kern_0", None, 0x26, align=6, data=COEFFICIENTS)
    c.segments = [c.segments[2], c.segments[0], c.segments[1], c.segments[3], Segment("__KERN_0", 1, 4, c.kern0)]
    c.kernel = "kern0"
    c.lanes = [(f"K{'5A' * 32}_ne_{i}", "kern0", 0x40 * min(i, 3), 2 if i < 3 else 0) for i in range(16)]
    c.text.relocations = [(0x74 + 4 * i, "kern0", 0x05) for i in range(3)]
    c.programs = [("main_ane", 0, TASK_WORDS, 1, {})]
    c.operands = [(0, "main_ane", {}), (1, "main_ane", {})]
    c.notes = [c.command(0x31, struct.pack("<16sQQ", b"src model info", 0x28, 1) + b"\0")]
    return c


def split_kernels():
    """A second kernel section, and the third lane in it."""
    c = v9509()
    c.kern0.data = COEFFICIENTS[:0x80] + bytes(PAGE - 0x80)
    c.kern1 = Section("__KERN_1", "__kern_1", None, 0x26, align=6, data=COEFFICIENTS[0x80:])
    c.segments.append(Segment("__KERN_1", 1, 4, c.kern1))
    c.lanes = [(f"K{'5A' * 32}_ne_{i}", "kern0", 0x40 * i, 2) for i in range(2)]
    c.lanes.append((f"K{'5A' * 32}_ne_2", "kern1", 0, 2))
    c.text.data = task(4, 5, (0, 0x40, 0))
    c.text.relocations = [(0x74, "kern0", 0x05), (0x78, "kern0", 0x05), (0x7C, "kern1", 0x05)]
    return c


def two_procedures():
    """Two chains in one text; the second one writes a port of its own."""
    c = Container()
    c.second = Section("__FVMLIB", "__data", 0xC0, 0x23)
    c.segments.insert(2, Segment("__FVMLIB", 2, 6, c.second))
    c.ports.append(Port("other", c.second, 2))
    first = task(4, 5)
    c.text.data = first + bytes(0x300 - len(first)) + task(4, 5)
    c.text.relocations += [(0x374 + 4 * i, "const", 0x05) for i in range(3)]
    c.programs = [("first_ane", 0, TASK_WORDS, 1, {6: 0}), ("second_ane", 0x300, TASK_WORDS, 1, {5: c.second, 6: 0})]
    c.operands = [(0, "first_ane", {}), (1, "first_ane", {}), (0, "second_ane", {}), (2, "second_ane", {})]
    return c


VARIATIONS, RUNNABLE = {}, []


def variation(base=Container, run=False):
    def add(change):
        container = base()
        change(container)
        name = change.__name__.replace("_", "-")
        VARIATIONS[name] = container.build()
        if run:
            RUNNABLE.append(name)

    return add


def unchanged(name, base):
    VARIATIONS[name] = base().build()
    RUNNABLE.append(name)


unchanged("macos14", macos14)
unchanged("macos26", Container)
unchanged("v9509", v9509)
unchanged("split-kernels", split_kernels)
VARIATIONS["two-procedures"] = two_procedures().build()


@variation()
def unknown_commands(c):
    c.before = [c.command(0x1B, bytes(range(16)))]
    c.between = [c.command(0x99, b"who knows"), c.command(0x99, b"")]
    c.after = [c.command(0x32, words(7, 0x1A0000, 0x1A0000, 0)), c.command(0x80000028, bytes(16))]


@variation()
def unknown_thread(c):
    c.between = [c.command(4, words(7, 4, 1, 2, 3, 4)), c.command(4, words(2, 0))]


@variation(run=True)
def symbols_reversed(c):
    c.symbols_reversed = True


@variation(run=True)
def unknown_symbols(c):
    c.more_symbols = [("a.c", 0x64, 0, 0, 7), ("private", 0x1E, 1, 0xFFFF, 0x30000000), ("", 0, 0, 0, 0), ("abs", 3, 0, 0, 1)]


@variation(run=True)
def no_symbols(c):
    c.lanes, c.types = [], 0
    c.symbols = lambda: []


@variation(run=True)
def strings_otherwise(c):
    c.strings_prefix, c.strings_suffix = b"no\0", b"\0\0\0nobody names me\0\0"


@variation(run=True)
def tables_behind_contents(c):
    c.tables_last = True


@variation(run=True)
def trailing_zeros(c):
    c.trailing = bytes(0x8000)


@variation(run=True)
def trailing_bytes(c):
    c.trailing = bytes(5) + b"signature" + bytes(3)


@variation(run=True)
def bytes_between(c):
    c.gap = b"between tables and contents"


@variation(run=True)
def empty_sections(c):
    c.bss.size = 0
    c.segments.insert(2, Segment("__DATA", 3, 4))
    c.segments.append(Segment("__LINKEDIT", 1, 4, Section("__LINKEDIT", "__empty", 0, 0x26, align=0)))


@variation(run=True)
def section_details(c):
    c.text.reserved, c.input.reserved, c.bss.align = (1, 2, 3), (0, 0, 0xFFFFFFFF), 0


@variation()
def unknown_sections(c):
    c.odd = Section("__ODD", "__sixteen_letters", 0x40, 0x2B, align=4, data=bytes(range(0x40)))
    c.zero = Section("__ODD", "__zero", 0x40, 0x2D, align=4)
    c.segments.append(Segment("__sixteen_letter", 7, 0x80, c.odd, c.zero))


@variation(run=True)
def header_is_text(c):
    # As Mach-O programs have it: the segment starts with the file.
    c.cover_header = True


@variation()
def unknown_properties(c):
    c.program_words = 0x280
    c.properties = [(9, bytes(8)), (0x21, b"four"), (300, b""), (0xFFFFFFFF, bytes(range(24)))]


@variation(run=True)
def longer_program(c):
    c.program_words = 0x400


@variation()
def unknown_state(c):
    c.program_words, c.state_tail = 0x240, b"\1\2\3\4" * 9


@variation()
def properties_of_another_kind(c):
    c.program_words, c.properties, c.property_count = 0x240, [], 0x0102030405060708


@variation()
def longer_operands(c):
    c.operand_words, c.operand_tail = 0x500, bytes(range(200))


@variation(run=True)
def short_operands(c):
    c.operand_words, c.program_words = 0x1E, 0x214


@variation(run=True)
def big_names(c):
    c.ports[0].name = c.ports[0].symbol = "image" * 200
    c.programs = [("n" * 3000, 0, TASK_WORDS, 1, {})]
    c.operands = [(0, "n" * 3000, {}), (1, "n" * 3000, {})]


@variation(run=True)
def shared_names(c):
    # All three names of the input are the one at the end.
    end = 0x10 + 4 * c.operand_words
    c.operands = [(0, "net", {0x18: end + 10, 0x20: end + 10}), (1, "net", {})]


@variation(run=True)
def loadfvmlib(c):
    c.port_command = 6


@variation()
def banner_without_end(c):
    c.banner, c.banner_end = "ANEC v1\nsixteen letters!", b""


@variation(run=True)
def note_elsewhere(c):
    c.gap = b"the note is here"
    c.notes = [c.command(0x31, struct.pack("<16sQQ", b"sixteen letters!", PAGE - 16, 16))]


@variation(run=True)
def other_flags(c):
    c.flags, c.filetype = 0xFFFFFFFF, 0x99


@variation()
def another_chip(c):
    c.cpusubtype = 7


@variation()
def direction_three(c):
    c.operands = [(0, "net", {}), (1, "net", {}), (1, "net", {0x14: 3})]


@variation()
def other_kind(c):
    c.operands = [(0, "net", {0x10: 4}), (1, "net", {})]


@variation()
def other_element(c):
    c.operands = [(0, "net", {0x24: 40}), (1, "net", {})]


@variation()
def interleave_zero(c):
    c.operands = [(0, "net", {0x78: 0}), (1, "net", {})]


@variation()
def no_extent(c):
    c.operands = [(0, "net", {0x38: 0}), (1, "net", {})]


@variation()
def larger_than_memory(c):
    c.operands = [(0, "net", {0x2C: 1000}), (1, "net", {0x80: 0x100000})]


@variation()
def many_bars(c):
    c.programs = [("net", 0, TASK_WORDS, 1, {40: c.output, 255: c.input})]


@variation()
def bar_to_nowhere(c):
    c.programs = [("net", 0, TASK_WORDS, 1, {2: 0x123456789})]


@variation()
def port_to_nowhere(c):
    c.ports.append(Port("nowhere", Section("", "", 1, 0), 1))


@variation(two_procedures)
def two_ports_of_one_name(c):
    c.ports[2].name = c.ports[1].name


@variation()
def operand_of_no_port(c):
    c.ports[1].name = "probs"
    c.operands.append((1, "net", {0x7C: 0x10 + 4 * c.operand_words}))


@variation()
def extended_task(c):
    # A 158-word task: the header has an eleventh word, the task to wait for.
    c.text.data = task(4, 5, extended=True)
    c.text.relocations = [(0x78 + 4 * i, "const", 0x05) for i in range(3)]
    c.programs = [("net", 0, TASK_WORDS + 1, 1, {})]


@variation()
def unknown_relocations(c):
    c.text.relocations += [(0, "const", 0xF7), (4, 2, 0x0D), (8, 0, 0x0D)]


@variation()
def empty_text(c):
    c.text.data, c.text.size, c.text.relocations = b"", 0, []


@variation()
def words_behind_the_tasks(c):
    c.text.data += bytes(0x300 - len(c.text.data)) + b"not a task" * 30


@variation()
def shared_tasks(c):
    c.programs = [(f"p{i}", 0, TASK_WORDS, 1, {}) for i in range(20)]


folder = pathlib.Path(sys.argv[1])
for name, data in VARIATIONS.items():
    (folder / f"{name}.hwx").write_bytes(data)
BROKEN = ["empty-text", "shared-tasks"]
(folder / "all.txt").write_text("".join(f"{name}\n" for name in VARIATIONS if name not in BROKEN))
(folder / "run.txt").write_text("".join(f"{name}\n" for name in RUNNABLE))
