extension OperationLog {
    /// The log of one daemon after another on the same state directory, which was empty before the first.
    ///
    /// - Parameters:
    ///   - lives: The calls of each, and where their places end.
    ///   - root: Where the state directory lay.
    package init(lives: [(calls: [SystemCall], end: Int)], root: String) throws(TraceError) {
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
        }
        self = table.log
        operations.sort { $0.begin < $1.begin }
        transfers.sort { $0.place < $1.place }
    }
}
