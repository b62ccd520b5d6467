import ArgumentParser
import FoundationEssentials

/// How an argument names a transaction.
enum TransactionReference: ExpressibleByArgument, Hashable, Sendable {
    case id(UUID)
    /// Decimal digits, as `transactionIdentifier` has them.
    case identifier(String)

    init?(argument: String) {
        if let id = UUID(uuidString: argument) {
            self = .id(id)
        } else if !argument.isEmpty, argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            self = .identifier(argument)
        } else {
            return nil
        }
    }
}

extension TransactionReference {
    /// What has to be looked up.
    var identifier: String? {
        guard case .identifier(let identifier) = self else {
            return nil
        }
        return identifier
    }
}
