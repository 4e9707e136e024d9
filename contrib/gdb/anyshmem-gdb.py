# SPDX-License-Identifier: BSD-3-Clause
#
# What gdb shows of anyshmem: printers for requests, slots, channels, transfers, waits
# and blocks of the heap, and the commands
#
#   anyshmem         this PE: its heap, what waits in its channels, what the proxy has
#                    under way, and what its threads wait for
#   anyshmem slots   each slot of the host's channel
#   anyshmem heap    each block of the heap
#   anyshmem kernel  the device thread that gdb has stopped in
#   anyshmem shared  the shared variables of its block
#   anyshmem grids   each kernel that runs: which threads wait for what, and where
#
# In a kernel, $threadIdx, $blockIdx, $blockDim and $gridDim are those of CUDA, and
# $shared("name") is a shared variable of the block; $shared("") is the launch's dynamic one.
# break heat.cu:31 if $in_thread(0, 5) stops in a single thread.
#
# gdb loads it with libanyshmem.so, or: source .../anyshmem-gdb.py.  It reads memory and
# calls nothing, so it is right for core files, too.  The library needs -g.
import gdb
import gdb.printing

# device/channel/request.h: fields of word 0; offsets have the lower 48 bits.
OP_BITS, WIDTH_SHIFT, WIDTH_BITS = 6, 6, 2
PE_SHIFT, PE_BITS = 8, 20
AUX_SHIFT, AUX_BITS, AUX_ADD = 28, 20, 1 << 19
TAG_SHIFT, TAG_BITS = 48, 16
# device/channel/ring.h: the proxy sleeps.
ARMED = 1 << 63
# device/hostdev/wait_table.c: an entry that somebody has, and that is filled.
USE_STATES, USE_FILLED = 4, 3
# proxy/xfer.h: transfers of a chunk.
CHUNK = 256
# include/nvshmem/sync.h: NVSHMEM_CMP_EQ and on.
COMPARISONS = ("==", "!=", ">", "<=", "<", ">=")
# Lines of a list.
SHOWN = 64
# What the command can be asked for.
WORDS = ("slots", "heap", "kernel", "shared", "grids")


def bits(word, shift, count):
    return word >> shift & (1 << count) - 1


def variable(file, name):
    """A static variable of one of the library's files."""
    return gdb.parse_and_eval("'%s'::%s" % (file, name))


def constant(name):
    return int(gdb.parse_and_eval(name))


def op_row(op):
    """What device/channel/request.h says of an operation."""
    return variable("proxy/dispatch.c", "ops")[op if op < constant("ASH_OPS") else 0]


def op_name(op):
    if op < constant("ASH_OPS"):
        return op_row(op)["name"].string()
    return "flush" if op == constant("ASH_XFER_FLUSH") else "message"


def place(nbytes, offset, pe):
    return "%d bytes at heap + %d of PE %d" % (nbytes, offset, pe)


class Request:
    """The words of a slot, told apart."""

    def __init__(self, words):
        word0 = words[0]
        self.words = words
        self.op = bits(word0, 0, OP_BITS)
        self.width = 1 << bits(word0, WIDTH_SHIFT, WIDTH_BITS)
        self.pe = bits(word0, PE_SHIFT, PE_BITS)
        self.aux = bits(word0, AUX_SHIFT, AUX_BITS)
        self.tag = bits(word0, TAG_SHIFT, TAG_BITS)
        self.offset = bits(words[3], 0, TAG_SHIFT)
        self.name = op_name(self.op)

    def signal(self):
        return "; signal %s %d, %s" % (
            "add" if self.aux & AUX_ADD else "set", self.words[4],
            place(8, bits(self.words[5], 0, TAG_SHIFT), self.pe))

    def __str__(self):
        words = self.words
        row = op_row(self.op)
        op_class, update = int(row["op_class"]), int(row["update"])
        if op_class in (constant("ASH_CLASS_NOTHING"), constant("ASH_CLASS_ORDER")):
            return self.name
        if op_class == constant("ASH_CLASS_INLINE"):
            return "%s, %s" % (self.name, place(self.aux, self.offset, self.pe))
        text = self.name + ", "
        if op_class == constant("ASH_CLASS_COPY"):
            reads = int(row["brings"]) == constant("ASH_BRINGS_MEMORY")
            text += "%s, %s %#x" % (
                place(words[1], self.offset, self.pe), "to" if reads else "from", words[2])
            if self.op == constant("ASH_OP_PUT_SIGNAL"):
                text += self.signal()
        else:
            text += place(self.width, self.offset, self.pe)
            if update not in (constant("ASH_UPDATE_NONE"), constant("ASH_UPDATE_LOAD")):
                text += ", operand %d" % words[2]
            if update == constant("ASH_UPDATE_COMPARE_SWAP"):
                text += ", compare %d" % words[1]
        line = self.aux & AUX_ADD - 1
        return text + (", reply line %d" % (line - 1) if line else "")


class Channel:
    """A ring and its counters; `words` of a ticket are those of its slot now."""

    def __init__(self, value):
        progress = value["proxy"].dereference()
        self.value = value
        self.armed = int(value["ticket"]) & ARMED != 0
        self.ticket = int(value["ticket"]) & ~ARMED
        self.mask = int(value["mask"])
        self.tail, self.next, self.completed = (
            int(progress[name]) for name in ("tail", "next", "completed"))

    def words(self, ticket):
        slot = self.value["slots"][ticket & self.mask]["word"]
        return [int(slot[i]) for i in range(8)]

    def tag(self, ticket):
        return ticket // (self.mask + 1) + 1 & (1 << TAG_BITS) - 1

    def state(self, ticket):
        if ticket < self.completed:
            return "complete"
        if ticket < self.next:
            return "popped"
        if ticket >= self.ticket:
            return "free"
        tags = [bits(self.words(ticket)[i], TAG_SHIFT, TAG_BITS) for i in (0, 3)]
        return "published" if tags == [self.tag(ticket)] * 2 else "claimed, not written"

    def describe(self, ticket):
        state = self.state(ticket)
        text = "%d: lap %d, slot %d, %s" % (
            ticket, ticket // (self.mask + 1), ticket & self.mask, state)
        if state in ("free", "claimed, not written"):
            return text
        return text + ": " + str(Request(self.words(ticket)))

    def __str__(self):
        return "channel of %d slots: %d pushed, %d popped, %d complete; %s" % (
            self.mask + 1, self.ticket, self.next, self.completed,
            "the proxy sleeps" if self.armed else "the proxy is awake")


def transfer(value):
    """A transfer of the proxy (struct ash_xfer)."""
    conn = value["conn"]
    if int(conn) == 0:
        return "free"
    op, pe = int(value["op"]), int(conn["pe"])
    if op >= constant("ASH_OPS"):
        return "%s to PE %d" % (op_name(op), pe)
    nbytes = int(value["nbytes"]) or int(value["width"])
    return "%s, %s, %d parts left" % (
        op_name(op), place(nbytes, int(value["offset"]), pe), int(value["parts"]))


def transfers(proxy):
    """All that are under way; fragments are part of another one."""
    for i in range(int(proxy["n_chunks"])):
        for k in range(CHUNK):
            xfer = proxy["chunks"][i][k]
            if int(xfer["conn"]) != 0 and int(xfer["whole"]) == 0:
                yield xfer


def variable_text(info):
    """What a variable is compared with, and what it is."""
    width, signed = int(info["width"]), int(info["is_signed"]) != 0
    address = int(info["address"]) + int(info["index"]) * width

    def number(value):
        return int.from_bytes((value & (1 << 8 * width) - 1).to_bytes(width, "little"),
                              "little", signed=signed)
    text = "%#x %s %d" % (address, COMPARISONS[int(info["cmp"])], number(int(info["value"])))
    try:
        memory = gdb.selected_inferior().read_memory(address, width)
        text += ", is %d" % number(int.from_bytes(bytes(memory), "little"))
    except gdb.MemoryError:
        text += ", which cannot be read"
    return text


def wait(info):
    """What a thread waits for (struct ash_wait_info)."""
    def string(name):
        return info[name].string() if int(info[name]) != 0 else ""
    kind = int(info["kind"])
    text = string("function") + (": " if string("function") else "")
    if kind == constant("ASH_WAIT_FOR_VARIABLE"):
        return text + string("argument") + " " + variable_text(info)
    for name in ("ALL", "ANY", "SOME"):
        if kind == constant("ASH_WAIT_FOR_" + name):
            return text + "%s of %d variables, number %d: %s" % (
                name.lower(), int(waiting["count"]), int(waiting["index"]), variable_text(waiting))
    request = Request([int(waiting["word0"]), 0, 0, 0, 0, 0, 0, 0])
    if kind == constant("ASH_WAIT_FOR_REPLY"):
        return text + "the reply to %s, %s" % (
            request.name,
            place(int(info["count"]) or request.width, int(info["address"]), request.pe))
    if kind == constant("ASH_WAIT_FOR_ROOM"):
        return text + "room in the channel for %s to PE %d" % (request.name, request.pe)
    if kind == constant("ASH_WAIT_FOR_QUIET"):
        return text + "the completion of requests below %d" % int(info["value"])
    return text + string("argument")


def waits():
    table = variable("device/hostdev/wait_table.c", "table")
    entry_type = gdb.lookup_type("struct ash_wait_entry").pointer()
    low, high = table.type.range()
    for i in range(low, high + 1):
        if int(table[i]["use"]) % USE_STATES == USE_FILLED:
            yield table[i]["word"].address.cast(entry_type).dereference()


def wait_entry(entry):
    text = wait(entry["info"])
    if int(entry["block"]) >= 0:
        text += " (block %d, thread %d)" % (int(entry["block"]), int(entry["thread"]))
    return text


def index(value):
    return "%d,%d,%d" % tuple(int(value[axis]) for axis in "xyz")


def device_thread():
    """The one that runs on the selected thread of the program (struct ash_grid_fiber)."""
    context = gdb.parse_and_eval("ash_context_current")
    if int(context) == 0 or not context["in_grid"]:
        raise gdb.GdbError("anyshmem: not in a kernel")
    return context.cast(gdb.lookup_type("struct ash_grid_fiber").pointer()).dereference()


def launch_of(fiber):
    return fiber["worker"]["grid"]["launch"].dereference()


def kernel_name(launch):
    return launch["name"].string() if int(launch["name"]) != 0 else "without a name"


def describe_thread():
    fiber = device_thread()
    where = fiber["where"]
    return "kernel %s, block %s of %s, thread %s of %s" % (
        kernel_name(launch_of(fiber)), index(where["block"]), index(where["grid_dim"]),
        index(where["thread"]), index(where["block_dim"]))


def plain_name(name):
    """The last part of a C++ name: "_ZZ6kernelPfE4tile", or "kernel(float*)::tile"."""
    try:
        name = gdb.execute("demangle -- " + name, to_string=True).strip()
    except gdb.error:
        pass
    return name.rsplit("::", 1)[-1]


def typed(address, name, nbytes):
    """Memory as the type that the program's debug information has for the name, or as bytes."""
    kind = None
    try:
        symbol = gdb.lookup_symbol(name, gdb.selected_frame().block())[0]
        kind = symbol.type if symbol is not None else None
    except (gdb.error, RuntimeError):
        pass
    if kind is None or kind.sizeof != nbytes:
        kind = gdb.lookup_type("unsigned char").array(nbytes - 1)
    return address.cast(kind.pointer()).dereference()


def shared_variables():
    """Name, size and value of each that the block has used so far; the dynamic one is ""."""
    fiber = device_thread()
    block_of = fiber["warp"]["block"].dereference()
    nbytes = int(launch_of(fiber)["shared_nbytes"])
    if nbytes > 0:
        yield "", nbytes, typed(block_of["shared"], "", nbytes)
    one = block_of["variables"]
    kind = gdb.lookup_type("struct ash_shared_variable").pointer()
    while int(one) != 0:
        described = one["variable"].cast(kind)
        name, nbytes = plain_name(described["name"].string()), int(described["nbytes"])
        yield name, nbytes, typed(one["memory"], name, nbytes)
        one = one["next"]


def shared_text(variable_of):
    name, nbytes, value = variable_of
    return "%s, %d bytes at %#x = %s" % (
        name or "dynamic", nbytes, int(value.address), value.format_string(max_elements=8))


def waiting_text(fiber):
    """What a device thread waits for, and the line (device/hostdev/running.c)."""
    waiting = fiber["waiting"]
    if int(waiting) == 0:
        return "runs, or is in a routine"
    name = variable("device/hostdev/running.c", "names")[int(waiting["what"])]
    text = "waits for " + (name.string() if int(name) != 0 else "nothing")
    site = int(waiting["site"])
    if site != 0:
        line = gdb.find_pc_line(site - 1)
        text += " at %s:%d" % (line.symtab.filename, line.line) if line.symtab else " at %#x" % site
    return text


def threads_of(worker):
    stacks = worker["stacks"]
    while int(stacks) != 0:
        for i in range(int(stacks["n_made"])):
            if int(stacks["fiber"][i]["warp"]) != 0:
                yield stacks["fiber"][i]
        stacks = stacks["next"]


def grid_lines(grid):
    """Threads of a block that wait for the same at the same place are one line."""
    groups = {}
    for i in range(int(grid["n_workers"])):
        for fiber in threads_of(grid["workers"][i]):
            key = index(fiber["where"]["block"]), waiting_text(fiber)
            groups.setdefault(key, []).append(index(fiber["where"]["thread"]))
    for (block_index, text), threads in groups.items():
        others = " and %d others" % (len(threads) - 1) if len(threads) > 1 else ""
        yield "block %s, thread %s%s: %s" % (block_index, threads[0], others, text)


def print_grids():
    grid = variable("device/hostdev/running.c", "first")
    if int(grid) == 0:
        print("no kernel runs")
    while int(grid) != 0:
        launch = grid["launch"]
        print_list("kernel %s, %s blocks of %s threads, groups of threads" % (
            kernel_name(launch), index(launch["grid_dim"]), index(launch["block_dim"])),
            grid_lines(grid))
        grid = grid["next"]


class Shared(gdb.Function):
    """The shared variable of the block with this name; "": the launch's dynamic memory."""

    def __init__(self):
        super().__init__("shared")

    def invoke(self, name):
        for one, _, value in shared_variables():
            if one == name.string():
                return value
        raise gdb.GdbError("anyshmem: the block has no shared variable %s yet" % name.string())


class InThread(gdb.Function):
    """For conditions of breakpoints: $in_thread(BLOCK, THREAD), which count along x."""

    def __init__(self):
        super().__init__("in_thread")

    def invoke(self, block_x, thread_x):
        try:
            where = device_thread()["where"]
        except gdb.GdbError:
            return False
        return bool(where["block"]["x"] == block_x and where["thread"]["x"] == thread_x)


def set_variables(_=None):
    """CUDA's built-in variables as gdb's own, at each stop."""
    names = {"threadIdx": "thread", "blockIdx": "block", "blockDim": "block_dim",
             "gridDim": "grid_dim"}
    try:
        where = device_thread()["where"]
    except (gdb.error, gdb.GdbError):
        return
    for name, field in names.items():
        gdb.set_convenience_variable(name, where[field])


def block(value):
    return "%s block of %d bytes at heap + %d" % (
        "taken" if value["taken"] else "free", int(value["nbytes"]), int(value["offset"]))


def blocks():
    value = variable("lib/symmetric/heap.c", "heap")["alloc"]["blocks"]
    while int(value) != 0:
        yield value.dereference()
        value = value["next"]


def allocator(value):
    return "allocator: %d of %d bytes free" % (int(value["free_bytes"]), int(value["size"]))


def record(value):
    return "PE %d on %s, process %d: heap of %d bytes at %#x" % (
        int(value["pe"]), value["host"].string(), int(value["pid"]), int(value["heap_size"]),
        int(value["heap_base"]))


def words_of(value):
    return [int(value["word"][i]) for i in range(8)]


def slot(value):
    request = Request(words_of(value))
    return "tag %d: %s" % (request.tag, request)


class Printer:
    """gdb's form of a printer that is one line."""

    def __init__(self, value, describe):
        self.value, self.describe = value, describe

    def to_string(self):
        try:
            return str(self.describe(self.value))
        except gdb.MemoryError as error:
            return "not to be read: %s" % error


PRINTERS = {
    "ash_request": lambda value: Request(words_of(value)), "ash_slot": slot,
    "ash_channel": Channel, "ash_xfer": transfer, "ash_wait_info": wait,
    "ash_wait_entry": wait_entry, "ash_alloc_block": block, "ash_alloc": allocator,
    "ash_record": record,
}


def print_list(title, lines):
    lines = list(lines)
    print("%s: %d" % (title, len(lines)))
    for line in lines[:SHOWN]:
        print("  " + line)
    if len(lines) > SHOWN:
        print("  and %d more" % (len(lines) - SHOWN))


def print_channel(title, value):
    channel = Channel(value)
    print("%s %s" % (title, channel))
    # Slots of earlier laps are written over.
    first = max(channel.completed, channel.next - channel.mask - 1)
    print_list("  requests not known to be complete",
               (channel.describe(ticket) for ticket in range(first, channel.ticket)))


class Anyshmem(gdb.Command):
    """Show this PE of anyshmem: its channels, transfers under way, and who waits for what.

anyshmem         what is under way
anyshmem slots   each slot of the host's channel
anyshmem heap    each block of the heap
anyshmem kernel  the device thread that gdb has stopped in
anyshmem shared  the shared variables of its block
anyshmem grids   each kernel that runs, and what its threads wait for"""

    def __init__(self):
        super().__init__("anyshmem", gdb.COMMAND_DATA)

    def complete(self, text, word):
        return [name for name in WORDS if name.startswith(word)]

    def invoke(self, argument, from_tty):
        what = argument.strip()
        try:
            state = gdb.parse_and_eval("ash_state")
        except gdb.error:
            raise gdb.GdbError("anyshmem: the library is not there, or has no symbols (-g)")
        if what == "kernel":
            print(describe_thread())
        elif what == "shared":
            print_list("shared variables of the block", map(shared_text, shared_variables()))
        elif what == "grids":
            print_grids()
        elif what not in WORDS + ("",):
            raise gdb.GdbError("anyshmem: no such thing: %s (%s, or nothing)" % (
                what, ", ".join(WORDS)))
        elif int(state["n_pes"]) == 0:
            print("anyshmem is not started")
        elif what == "":
            self.all(state)
        elif what == "heap":
            print_list("blocks of the heap", map(block, blocks()))
        else:
            self.slots(state)

    @staticmethod
    def slots(state):
        if int(state["channel"]) == 0:
            print("no channel: all PEs are reached directly")
            return
        channel = Channel(state["channel"].dereference())
        first = max(channel.ticket - channel.mask - 1, 0)
        print(channel)
        for ticket in range(first, first + channel.mask + 1):
            print("  " + channel.describe(ticket))

    @staticmethod
    def all(state):
        print("PE %d of %d, heap of %d bytes at %#x" % (
            int(state["my_pe"]), int(state["n_pes"]), int(state["heap_size"]), int(state["heap"])))
        if int(state["channel"]) == 0:
            print("no channel: all PEs are reached directly")
        else:
            print_channel("the host's", state["channel"].dereference())
        proxy = variable("lib/report/report.c", "reported_proxy")
        if int(proxy) != 0:
            gpu = proxy["clients"][constant("ASH_GPU")]["own"]["channel"]
            if int(gpu) != 0:
                print_channel("the GPU's", gpu.dereference())
            print_list("transfers in flight", map(transfer, transfers(proxy)))
        print_list("waits that last", map(wait_entry, waits()))


def collection():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("anyshmem")
    for name, describe in PRINTERS.items():
        printers.add_printer(name, "^%s$" % name,
                             lambda value, describe=describe: Printer(value, describe))
    return printers


def listen():
    """gdb may load this file again."""
    for event in (gdb.events.stop, getattr(gdb.events, "before_prompt", None)):
        if event is not None:
            event.connect(set_variables)


gdb.printing.register_pretty_printer(gdb.current_objfile(), collection(), replace=True)
Anyshmem()
Shared()
InThread()
listen()
