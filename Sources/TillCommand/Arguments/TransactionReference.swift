import FoundationEssentials

/// How an argument names a transaction.
enum TransactionReference: ArgumentText, Hashable, Sendable {
    case id(UUID)
    /// Decimal digits without a leading zero, as `transactionIdentifier` has them.
    case identifier(String)
    /// How the UUID begins, if no other's in the list does.
    case prefix(IdentityPrefix)

    static let rule = "write a UUID, at least its first four digits, or a transaction identifier"

    init?(argument: String) {
        if let id = UUID(uuidString: argument) {
            self = .id(id)
        } else if Self.isNumber(argument) {
            self = .identifier(argument)
        } else if let prefix = IdentityPrefix(argument: argument) {
            self = .prefix(prefix)
        } else {
            return nil
        }
    }

    /// UUIDs that rise with time begin with a zero, and identifiers do not.
    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.first != "0" && text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
}

extension TransactionReference: CustomStringConvertible {
    /// As it was written.
    var description: String {
        switch self {
        case .id(let id): id.uuidString.lowercased()
        case .identifier(let identifier): identifier
        case .prefix(let prefix): prefix.text
        }
    }
}
