extension OperationLog {
    /// The life of one daemon: its calls, and the end of their places.
    package struct Life: Sendable {
        package var calls: [SystemCall]
        package var end: Int
        /// The content that the daemon left, by path below the state directory.
        package var left: @Sendable (String) -> DiskState.Item?

        package init(
            calls: [SystemCall],
            end: Int,
            left: @escaping @Sendable (String) -> DiskState.Item? = { _ in nil }
        ) {
            self.calls = calls
            self.end = end
            self.left = left
        }
    }

    /// The log of several daemons, one after another on the same state directory, which was empty before the first.
    ///
    /// - Parameter root: The path of the state directory.
    package init(lives: [Life], root: String) throws(TraceError) {
        var table = FileTable(root: root, tree: NameTree(), log: OperationLog(), connections: 0)
        for life in lives {
            let start = table.log.end
            let calls = life.calls.map { call in
                var call = call
                call.begin += start
                call.end = call.end.map { $0 + start }
                return call
            }
            table = FileTable(root: root, tree: table.tree, log: table.log, connections: table.connections)
            try table.read(calls)
            table.log.end = start + life.end
            table.log.lives.append(table.log.end)
            table.decide(since: start, life.left)
        }
        self = table.log
        operations.sort { $0.begin < $1.begin }
        transfers.sort { $0.place < $1.place }
    }
}

extension FileTable {
    /// Decides from the files that the process left whether the calls during which it was killed took effect.
    fileprivate mutating func decide(since start: Int, _ left: (String) -> DiskState.Item?) {
        for index in log.operations.indices where log.operations[index].begin >= start {
            guard log.operations[index].end == nil, let seen = seen(log.operations[index].effect, left) else {
                continue
            }
            log.operations[index].effect = seen
            log.operations[index].end = log.end - 1
        }
        // The other calls never took effect, so they must not take effect later.
        log.operations.removeAll { $0.end == nil }
        tree = NameTree(log.operations)
    }

    /// The part of an effect that is visible in the files that the process left; nil if none is.
    private func seen(_ effect: OperationLog.Effect, _ left: (String) -> DiskState.Item?) -> OperationLog.Effect? {
        switch effect {
        case .change(let node, let change):
            change.seen(in: tree.path(of: node).flatMap(left)?.bytes ?? []).map { .change(node, $0) }
        case .name(let naming):
            (tree.path(of: naming.changed).flatMap(left) != nil) == naming.isEntered ? effect : nil
        case .flush:
            nil
        }
    }
}

extension OperationLog.Naming {
    /// The name whose presence shows whether the change happened.
    fileprivate var changed: OperationLog.Name {
        switch self {
        case .enter(let name, _), .remove(let name), .move(let name, to: _, _): name
        }
    }

    fileprivate var isEntered: Bool {
        if case .enter = self { true } else { false }
    }
}

extension OperationLog.Change {
    /// The part of the change that is visible in a file with these bytes: a write may be incomplete.
    fileprivate func seen(in bytes: [UInt8]) -> OperationLog.Change? {
        switch self {
        case .write(let offset, let new):
            let count = zip(bytes.dropFirst(offset), new).prefix { $0 == $1 }.count
            return count == 0 ? nil : .write(offset: offset, bytes: Array(new.prefix(count)))
        case .resize(let length): return bytes.count == length ? self : nil
        case .extend(let length): return bytes.count >= length ? self : nil
        }
    }
}
