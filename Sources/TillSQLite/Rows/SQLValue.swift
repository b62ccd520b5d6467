import FoundationEssentials
import TillModel

/// A value to bind to a statement, in one of the forms in which SQLite keeps it.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
}

extension SQLValue {
    init(_ integer: Int64?) {
        self = integer.map(SQLValue.integer) ?? .null
    }

    init(_ integer: Int?) {
        self.init(integer.map(Int64.init))
    }

    /// A revision. Those that SQLite cannot hold are beyond every revision that there is.
    init(_ revision: UInt64) {
        self = .integer(Int64(clamping: revision))
    }

    init(_ flag: Bool?) {
        self = flag.map { .integer($0 ? 1 : 0) } ?? .null
    }

    init(_ text: String?) {
        self = text.map(SQLValue.text) ?? .null
    }

    init(_ bytes: [UInt8]?) {
        self = bytes.map(SQLValue.bytes) ?? .null
    }

    init(_ uuid: UUID?) {
        self = uuid.map(SQLValue.uuid) ?? .null
    }

    /// A point in time, kept in milliseconds since 1970.
    init(_ date: Date?) {
        self.init(date?.millisecondsSince1970)
    }

    /// A `LIMIT`, of which a negative one would mean none.
    init(limit: Int) {
        self.init(max(0, limit))
    }
}

extension SQLValue: Equatable {
    /// Whether SQLite would keep the same: Swift takes different bytes of text for equal.
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        default: false
        }
    }
}
