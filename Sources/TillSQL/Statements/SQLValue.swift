package import FoundationEssentials
import TillModel

/// A value to bind to a statement, in one of the forms in which a database keeps it.
package enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
}

extension SQLValue {
    package init(_ integer: Int64?) {
        self = integer.map(SQLValue.integer) ?? .null
    }

    package init(_ integer: Int?) {
        self.init(integer.map(Int64.init))
    }

    /// A revision. Those that no column can hold are beyond every revision that there is.
    package init(_ revision: UInt64) {
        self = .integer(Int64(clamping: revision))
    }

    package init(_ flag: Bool?) {
        self = flag.map { .integer($0 ? 1 : 0) } ?? .null
    }

    package init(_ text: String?) {
        self = text.map(SQLValue.text) ?? .null
    }

    package init(_ bytes: [UInt8]?) {
        self = bytes.map(SQLValue.bytes) ?? .null
    }

    package init(_ uuid: UUID?) {
        self = uuid.map(SQLValue.uuid) ?? .null
    }

    /// A point in time, kept in milliseconds since 1970.
    package init(_ date: Date?) {
        self.init(date?.millisecondsSince1970)
    }

    /// A `LIMIT`. A negative one would mean no limit.
    package init(limit: Int) {
        self.init(max(0, limit))
    }
}

extension SQLValue: Equatable {
    /// Whether a database would keep the same: Swift takes different bytes of text for equal.
    package static func == (left: Self, right: Self) -> Bool {
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
