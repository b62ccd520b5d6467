/// The flushed names in all directories, and the changes since the flush.
struct PendingNames: Sendable {
    /// One directory's part of a change. A move changes two directories; the second part happens only with the first.
    private struct Side: Sendable {
        var change: Int
        var isSecond = false
        var begin: Int
        var end: Int?
        var text: String
        /// The node that gets the name; nil if the name is removed.
        var node: OperationLog.Node?
    }

    private var certain: [OperationLog.Node: [String: OperationLog.Node]] = [:]
    private var pending: [OperationLog.Node: [Side]] = [:]
    /// The number of changes so far, which orders them.
    private var changes = 0
    /// Changes whose first part is certain, because its directory was flushed.
    private var flushed: Set<Int> = []
    /// The number of changes that are certain on a file system with a journal.
    private var journaled = 0

    mutating func begin(_ naming: OperationLog.Naming, at place: Int) {
        changes += 1
        switch naming {
        case .enter(let name, let node):
            add(name, node, at: place)
        case .remove(let name):
            add(name, nil, at: place)
        case .move(let name, let newName, let node):
            add(newName, node, at: place)
            add(name, nil, at: place, isSecond: true)
        }
    }

    private mutating func add(
        _ name: OperationLog.Name,
        _ node: OperationLog.Node?,
        at place: Int,
        isSecond: Bool = false
    ) {
        let side = Side(change: changes, isSecond: isSecond, begin: place, end: nil, text: name.text, node: node)
        pending[name.directory, default: []].append(side)
    }

    mutating func end(_ begin: Int, at place: Int) {
        for directory in pending.keys {
            for index in pending[directory, default: []].indices where pending[directory]?[index].begin == begin {
                pending[directory]?[index].end = place
            }
        }
    }

    /// Handles a successful flush of a node that began at a place.
    mutating func flush(_ node: OperationLog.Node, begunAt place: Int, isFull: Bool) {
        if isFull {
            let open = pending.values.joined().filter { $0.end.map { $0 >= place } ?? true }.map(\.change).min()
            journaled = max(journaled, (open ?? changes + 1) - 1)
        }
        var kept: [Side] = []
        for side in pending[node, default: []] {
            guard kept.isEmpty, let end = side.end, end < place else {
                kept.append(side)
                continue
            }
            certain[node, default: [:]][side.text] = side.node
            if !side.isSecond {
                flushed.insert(side.change)
            }
        }
        pending[node] = kept.isEmpty ? nil : kept
    }

    var isSettled: Bool { pending.isEmpty }

    /// The names of every directory on the disk after the loss of power.
    func names(_ variant: Variant, _ chance: Chance) -> [OperationLog.Node: [String: OperationLog.Node]] {
        let last = journaled + chance.below(changes - journaled + 1, -3)
        let counts = pending.mapValues { $0.count }
        var first = flushed
        // A directory keeps its changes in order; chance decides how many.
        func isKept(_ side: Side, _ place: Int, in directory: OperationLog.Node) -> Bool {
            switch (variant.bytes, variant.names) {
            case (.written, _): side.end != nil
            case (.begun, _): true
            case (.flushed, .strict): false
            case (.flushed, .journal): side.change <= journaled
            case (.sectors, .journal): side.change <= last
            case (.sectors, .strict): place < chance.below((counts[directory] ?? 0) + 1, directory, -4)
            }
        }
        for (directory, sides) in pending {
            for (place, side) in sides.enumerated() where !side.isSecond && isKept(side, place, in: directory) {
                first.insert(side.change)
            }
        }
        var names = certain
        for (directory, sides) in pending {
            for (place, side) in sides.enumerated() where isKept(side, place, in: directory) {
                if !side.isSecond || first.contains(side.change) {
                    names[directory, default: [:]][side.text] = side.node
                }
            }
        }
        return names
    }
}
