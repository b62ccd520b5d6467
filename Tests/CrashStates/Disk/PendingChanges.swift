/// A file's flushed bytes, and the changes since the flush.
struct PendingChanges: Sendable {
    struct Item: Sendable {
        var begin: Int
        /// The place at which the change returned; nil while it is under way.
        var end: Int?
        var change: OperationLog.Change
    }

    private(set) var flushed: [UInt8] = []
    private(set) var items: [Item] = []

    mutating func begin(_ change: OperationLog.Change, at place: Int) {
        items.append(Item(begin: place, end: nil, change: change))
    }

    mutating func end(_ begin: Int, at place: Int) {
        for index in items.indices where items[index].begin == begin {
            items[index].end = place
        }
    }

    /// Handles a successful flush that began at a place: every change that had returned before the place is now
    /// certain.
    mutating func flush(begunAt place: Int) {
        var kept: [Item] = []
        for item in items {
            if item.end.map({ $0 < place }) ?? false {
                Self.apply(item.change, to: &flushed)
            } else {
                kept.append(item)
            }
        }
        items = kept
    }

    /// The bytes after all completed writes and, with `underWay`, after the writes under way.
    func bytes(withUnderWay underWay: Bool) -> [UInt8] {
        var bytes = flushed
        for item in items where underWay || item.end != nil {
            Self.apply(item.change, to: &bytes)
        }
        return bytes
    }

    static func apply(_ change: OperationLog.Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let new):
            write(new[...], at: offset, to: &bytes)
        case .resize(let length):
            resize(&bytes, to: length)
        case .extend(let length):
            resize(&bytes, to: max(length, bytes.count))
        }
    }

    static func write(_ new: ArraySlice<UInt8>, at offset: Int, to bytes: inout [UInt8]) {
        if bytes.count < offset + new.count {
            resize(&bytes, to: offset + new.count)
        }
        bytes.replaceSubrange(offset..<(offset + new.count), with: new)
    }

    static func resize(_ bytes: inout [UInt8], to length: Int) {
        if length < bytes.count {
            bytes.removeLast(bytes.count - length)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: length - bytes.count))
        }
    }
}
