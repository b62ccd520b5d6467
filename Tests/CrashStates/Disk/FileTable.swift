/// The open files of one process, which translate its system calls into operations of the log.
struct FileTable {
    /// An open file description, which duplicates of a descriptor share.
    final class OpenFile {
        let node: OperationLog.Node
        let appends: Bool
        var offset = 0

        init(_ node: OperationLog.Node, appends: Bool) {
            self.node = node
            self.appends = appends
        }
    }

    enum Entry {
        case file(OpenFile)
        case connection(Int)
    }

    /// The path of the state directory.
    let root: String
    var tree: NameTree
    var log: OperationLog
    private(set) var connections: Int
    private var entries: [Int: Entry] = [:]

    init(root: String, tree: NameTree, log: OperationLog, connections: Int) {
        self.root = root
        self.tree = tree
        self.log = log
        self.connections = connections
    }

    /// Reads all calls of one process. Their places are after those in the log.
    mutating func read(_ calls: [SystemCall]) throws(TraceError) {
        var events: [(place: Int, call: Int, isEnd: Bool)] = []
        for (index, call) in calls.enumerated() {
            events.append((call.begin, index, false))
            if let end = call.end {
                events.append((end, index, true))
            }
        }
        events.sort { $0.place < $1.place }
        var targets: [Int: Entry] = [:]
        for event in events {
            let call = calls[event.call]
            if event.isEnd {
                try finish(call, on: targets.removeValue(forKey: event.call))
            } else {
                targets[event.call] = call.argument(0)?.number.flatMap { entries[$0] }
                if call.name == "close", let number = call.argument(0)?.number {
                    // Another thread may get the same descriptor before the trace shows that this call returned.
                    entries[number] = nil
                }
            }
        }
        // A call under way when the process was killed may have taken effect.
        for (index, call) in calls.enumerated() where call.end == nil {
            try finish(call, on: targets[index])
        }
    }

    func isFile(_ number: Int) -> Bool {
        if case .file = entries[number] { true } else { false }
    }

    mutating func bind(_ call: SystemCall, _ entry: Entry?) {
        if call.succeeded, let number = call.result {
            entries[number] = entry
        }
    }

    mutating func accept(_ call: SystemCall) {
        bind(call, .connection(connections))
        connections += 1
    }

    /// Resolves a path to a directory and the rest of the path; nil for paths outside the state directory.
    func place(_ directory: TraceValue?, _ path: TraceValue?) throws(TraceError) -> OperationLog.Name? {
        guard let path = path?.text else {
            throw TraceError("A path is not valid UTF-8.")
        }
        if path.hasPrefix("/") {
            if path == root {
                return OperationLog.Name(directory: OperationLog.root, text: "")
            }
            guard path.hasPrefix(root + "/") else {
                return nil
            }
            return tree.name(path.dropFirst(root.count + 1), in: OperationLog.root)
        }
        guard let number = directory?.number, case .file(let file) = entries[number] else {
            return nil
        }
        return tree.name(path, in: file.node)
    }

    /// The node that a path names; an empty path names the directory itself.
    func node(_ name: OperationLog.Name) -> OperationLog.Node? {
        name.text.isEmpty ? name.directory : tree[name]
    }

    /// Whether the name is that of the index of SQLite's log. That file lives only in memory, and every start recreates
    /// it.
    static func isVolatile(_ name: OperationLog.Name) -> Bool {
        name.text.hasSuffix("-shm")
    }

    mutating func note(_ call: SystemCall, _ effect: OperationLog.Effect) {
        log.operations.append(OperationLog.Operation(begin: call.begin, end: call.end, effect: effect))
        tree.apply(effect)
    }
}
