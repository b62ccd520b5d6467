extension FileTable {
    /// Applies a call that returned, or during which its process was killed.
    mutating func finish(_ call: SystemCall, on target: Entry?) throws(TraceError) {
        guard call.succeeded || call.end == nil else {
            return
        }
        switch (call.name, target) {
        case ("openat", _), ("openat2", _), ("open", _), ("creat", _):
            try open(call)
        case ("dup", let target), ("dup2", let target), ("dup3", let target):
            bind(call, target)
        case ("fcntl", let target)
        where call.argument(1)?.has("F_DUPFD_CLOEXEC") == true
            || call.argument(1)?.has("F_DUPFD") == true:
            bind(call, target)
        case ("accept4", _), ("accept", _):
            accept(call)
        case (_, .connection(let connection)):
            try transfer(call, connection)
        case (_, .file(let file)):
            try use(call, file)
        case ("sync", _), ("syncfs", _), ("io_uring_setup", _):
            throw TraceError("The daemon calls \(call.name), which is not supported.")
        case ("mmap", _):
            try map(call)
        default:
            try rename(call)
        }
    }

    private mutating func open(_ call: SystemCall) throws(TraceError) {
        let isRelative = call.name.hasPrefix("openat")
        let flags = call.argument(isRelative ? 2 : 1)
        let mode = call.name == "openat2" ? flags?["flags"] : flags
        guard let name = try place(isRelative ? call.argument(0) : nil, call.argument(isRelative ? 1 : 0)),
            !Self.isVolatile(name)
        else {
            return bind(call, nil)
        }
        var found = node(name)
        if found == nil, mode?.has("O_CREAT") == true {
            let made = log.nodeCount
            log.nodeCount += 1
            note(call, .name(.enter(name, made)))
            found = made
        }
        guard let node = found else {
            guard call.end != nil else { return }
            throw TraceError("The daemon opened \(name.text), which does not exist.")
        }
        if mode?.has("O_TRUNC") == true, tree.length(of: node) > 0 {
            note(call, .change(node, .resize(0)))
        }
        bind(call, .file(OpenFile(node, appends: mode?.has("O_APPEND") == true)))
    }

    private mutating func use(_ call: SystemCall, _ file: OpenFile) throws(TraceError) {
        switch call.name {
        case "read", "readv":
            file.offset += call.result ?? 0
        case "lseek":
            file.offset = call.result ?? file.offset
        case "write", "writev":
            let offset = file.appends ? tree.length(of: file.node) : file.offset
            let bytes = try written(call)
            note(call, .change(file.node, .write(offset: offset, bytes: bytes)))
            file.offset = offset + bytes.count
        case "pwrite64", "pwritev", "pwritev2":
            guard let offset = call.argument(3)?.number else {
                throw TraceError("A write has no offset.")
            }
            note(call, .change(file.node, .write(offset: offset, bytes: try written(call))))
        case "ftruncate":
            note(call, .change(file.node, .resize(try number(call, 1))))
        case "fallocate":
            guard call.argument(1)?.number == 0 else {
                throw TraceError("The daemon calls fallocate with flags, which is not supported.")
            }
            note(call, .change(file.node, .extend(try number(call, 2) + number(call, 3))))
        case "fsync", "fdatasync":
            if call.end != nil {
                note(call, .flush(file.node, isFull: call.name == "fsync"))
            }
        case "copy_file_range", "sendfile", "splice", "syncfs":
            throw TraceError("The daemon calls \(call.name) on its state, which is not supported.")
        case "unlinkat", "mkdirat", "renameat", "renameat2", "linkat", "symlinkat":
            try rename(call)
        default:
            break
        }
    }

    /// Refuses a writable shared mapping, because writes through memory leave no trace.
    private func map(_ call: SystemCall) throws(TraceError) {
        guard call.argument(2)?.has("PROT_WRITE") == true, call.argument(3)?.has("MAP_SHARED") == true,
            let number = call.argument(4)?.number, isFile(number)
        else {
            return
        }
        throw TraceError("The daemon writes a file through a memory mapping, which leaves no trace.")
    }

    private mutating func rename(_ call: SystemCall) throws(TraceError) {
        let arguments = call.arguments
        switch call.name {
        case "mkdirat", "mkdir":
            let isRelative = call.name == "mkdirat"
            guard let name = try place(isRelative ? arguments.first : nil, call.argument(isRelative ? 1 : 0)) else {
                return
            }
            let node = log.nodeCount
            log.nodeCount += 1
            log.directories.insert(node)
            note(call, .name(.enter(name, node)))
        case "unlinkat", "unlink", "rmdir":
            let isRelative = call.name == "unlinkat"
            guard let name = try place(isRelative ? arguments.first : nil, call.argument(isRelative ? 1 : 0)),
                !Self.isVolatile(name)
            else {
                return
            }
            note(call, .name(.remove(name)))
        case "renameat", "renameat2":
            try move(call, try place(call.argument(0), call.argument(1)), try place(call.argument(2), call.argument(3)))
        case "rename":
            try move(call, try place(nil, call.argument(0)), try place(nil, call.argument(1)))
        case "linkat":
            try link(call, try place(call.argument(0), call.argument(1)), try place(call.argument(2), call.argument(3)))
        case "link":
            try link(call, try place(nil, call.argument(0)), try place(nil, call.argument(1)))
        case "truncate":
            if let name = try place(nil, call.argument(0)), let node = node(name) {
                note(call, .change(node, .resize(try number(call, 1))))
            }
        case "symlink", "symlinkat":
            throw TraceError("The daemon makes a symbolic link, which is not supported.")
        default:
            break
        }
    }

    private mutating func move(
        _ call: SystemCall,
        _ name: OperationLog.Name?,
        _ newName: OperationLog.Name?
    ) throws(TraceError) {
        switch (name, newName) {
        case (nil, nil):
            return
        case (let name?, let newName?):
            guard let node = tree[name] else {
                throw TraceError("The daemon renamed \(name.text), which does not exist.")
            }
            note(call, .name(.move(name, to: newName, node)))
        default:
            throw TraceError("The daemon moves a file into or out of its state directory, which is not supported.")
        }
    }

    private mutating func link(
        _ call: SystemCall,
        _ name: OperationLog.Name?,
        _ newName: OperationLog.Name?
    ) throws(TraceError) {
        guard let newName else {
            return
        }
        guard let name, let node = tree[name] else {
            throw TraceError("The daemon links \(newName.text) to a file that does not exist.")
        }
        note(call, .name(.enter(newName, node)))
    }
}

extension FileTable {
    /// The bytes that the write wrote; all bytes if the call never returned.
    private func written(_ call: SystemCall) throws(TraceError) -> [UInt8] {
        let bytes = try Self.bytes(call)
        return Array(bytes.prefix(call.end == nil ? bytes.count : call.result ?? 0))
    }

    private mutating func transfer(_ call: SystemCall, _ connection: Int) throws(TraceError) {
        let isAnswer: Bool
        switch call.name {
        case "write", "writev", "sendto", "sendmsg": isAnswer = true
        case "read", "readv", "recvfrom", "recvmsg": isAnswer = false
        case "sendfile", "splice": throw TraceError("The daemon answers by \(call.name), which is not supported.")
        default: return
        }
        // An answer counts from the start of its send, even if its process was killed during the send. A request counts
        // from its arrival.
        guard isAnswer || call.end != nil else {
            return
        }
        let bytes = Array(try Self.bytes(call).prefix(call.end == nil ? .max : call.result ?? 0))
        guard !bytes.isEmpty else {
            return
        }
        log.transfers.append(
            OperationLog.Transfer(
                connection: connection,
                isAnswer: isAnswer,
                place: isAnswer ? call.begin : call.end ?? call.begin,
                bytes: bytes
            )
        )
    }

    /// The bytes of a read or write: one string, or the strings of a vector.
    private static func bytes(_ call: SystemCall) throws(TraceError) -> [UInt8] {
        switch call.argument(1) {
        case .bytes(let bytes):
            return bytes
        case .list(let parts):
            return parts.flatMap { $0["iov_base"]?.bytes ?? [] }
        case .some(let message):
            guard let vector = message["msg_iov"] else { break }
            return vector.elements.flatMap { $0["iov_base"]?.bytes ?? [] }
        case nil:
            break
        }
        throw TraceError("A call of \(call.name) shows no bytes.")
    }

    private func number(_ call: SystemCall, _ index: Int) throws(TraceError) -> Int {
        guard let number = call.argument(index)?.number else {
            throw TraceError("A call of \(call.name) lacks a number.")
        }
        return number
    }
}
