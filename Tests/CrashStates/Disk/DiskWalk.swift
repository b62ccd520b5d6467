/// Walks through the log, and computes the disk that a loss of power would leave at each place.
package struct DiskWalk: Sendable {
    private struct Event: Sendable {
        var place: Int
        var operation: Int
        var isEnd: Bool
    }

    private let log: OperationLog
    private let events: [Event]
    private var next = 0
    private var files: [OperationLog.Node: PendingChanges] = [:]
    private var names = PendingNames()
    /// The current place: every event before it has happened.
    package private(set) var place = 0

    package init(_ log: OperationLog) {
        self.log = log
        events = log.operations.enumerated().flatMap { index, operation in
            [Event(place: operation.begin, operation: index, isEnd: false)]
                + (operation.end.map { [Event(place: $0, operation: index, isEnd: true)] } ?? [])
        }
        .sorted { $0.place < $1.place }
    }

    /// Advances to a later place.
    package mutating func advance(to place: Int) {
        while next < events.count, events[next].place < place {
            let event = events[next]
            let operation = log.operations[event.operation]
            if event.isEnd {
                end(operation, at: event.place)
            } else {
                begin(operation)
            }
            next += 1
        }
        self.place = max(self.place, place)
    }

    private mutating func begin(_ operation: OperationLog.Operation) {
        switch operation.effect {
        case .change(let node, let change): files[node, default: PendingChanges()].begin(change, at: operation.begin)
        case .name(let naming): names.begin(naming, at: operation.begin)
        case .flush: break
        }
    }

    private mutating func end(_ operation: OperationLog.Operation, at place: Int) {
        switch operation.effect {
        case .change(let node, _): files[node]?.end(operation.begin, at: place)
        case .name: names.end(operation.begin, at: place)
        case .flush(let node, let isFull):
            files[node]?.flush(begunAt: operation.begin)
            names.flush(node, begunAt: operation.begin, isFull: isFull)
        }
    }

    /// Whether every change is flushed, so that chance decides nothing here.
    package var isSettled: Bool {
        names.isSettled && files.values.allSatisfy { $0.items.isEmpty }
    }

    /// The disk after a loss of power at the current place.
    package func state(_ variant: Variant) -> DiskState {
        let chance = Chance(seed: variant.seed)
        let names = names.names(variant, chance)
        var state = DiskState()
        func add(_ directory: OperationLog.Node, _ prefix: String, depth: Int) {
            for (text, node) in names[directory, default: [:]].sorted(by: { $0.key < $1.key }) {
                let path = prefix + text
                if log.directories.contains(node) {
                    state.items.append((path, .directory))
                    if depth < Self.depthMaximum {
                        add(node, path + "/", depth: depth + 1)
                    }
                } else {
                    state.items.append((path, .file(bytes(of: node, variant, chance))))
                }
            }
        }
        add(OperationLog.root, "", depth: 0)
        return state
    }

    private static let depthMaximum = 32

    private func bytes(of node: OperationLog.Node, _ variant: Variant, _ chance: Chance) -> [UInt8] {
        guard let file = files[node] else {
            return []
        }
        switch variant.bytes {
        case .flushed: return file.flushed
        case .written: return file.bytes(withUnderWay: false)
        case .begun: return file.bytes(withUnderWay: true)
        case .sectors(let size): return file.bytes(sectorSize: size, file: node, chance: chance)
        }
    }
}
