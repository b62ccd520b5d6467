/// The open files of one process, and what its system calls mean for the log.
struct FileTable {
    /// What an open file shares with its duplicates.
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

    /// Where the state directory lies.
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

    /// Takes up the calls of one process, all of them, with places behind those in the log.
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
                    // Another thread may be given the number before this call is seen to return.
                    entries[number] = nil
                }
            }
        }
        // What was under way when the process was killed may have happened.
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

    /// The directory that a path is relative to, and the rest of the path; nil for paths elsewhere.
    func place(_ directory: TraceValue?, _ path: TraceValue?) throws(TraceError) -> OperationLog.Name? {
        guard let path = path?.text else {
            throw TraceError("A path is no text.")
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

    /// The node that a path names; the directory itself for an empty one.
    func node(_ name: OperationLog.Name) -> OperationLog.Node? {
        name.text.isEmpty ? name.directory : tree[name]
    }

    /// A file that lives in memory alone, as the index of SQLite's log, which every start makes anew.
    static func isVolatile(_ name: OperationLog.Name) -> Bool {
        name.text.hasSuffix("-shm")
    }

    mutating func note(_ call: SystemCall, _ effect: OperationLog.Effect) {
        log.operations.append(OperationLog.Operation(begin: call.begin, end: call.end, effect: effect))
        tree.apply(effect)
    }
}
