import TillModel

/// A page token is the key of the row that its page ended with, so that the ledger knows the tokens that it can have given.
extension LedgerReader {
    /// The key that a token stands for: 0 for the first page.
    ///
    /// - Parameter isGiven: Whether a page can have ended with the row of this key.
    /// - Throws: `invalidArgument` for any other token.
    func key(ofToken token: UInt64, _ isGiven: (Int64) throws -> Bool) throws -> Int64 {
        guard let key = Int64(exactly: token), try key == 0 || isGiven(key) else {
            throw TillError.invalidPageToken(token)
        }
        return key
    }

    func hasTransaction(_ key: Int64, in queue: QueueRecord?) throws -> Bool {
        guard let queue else {
            return false
        }
        return try transaction(key: key)?.queue == queue.key
    }

    func hasSubscription(_ key: Int64, in queue: QueueRecord?) throws -> Bool {
        guard let queue else {
            return false
        }
        return try subscription(key: key)?.queue == queue.key
    }
}

extension TillError {
    static func invalidPageToken(_ token: UInt64) -> TillError {
        TillError(
            .invalidArgument,
            "Invalid page token \(token): use the next_page_token of the page before, or 0 for the first page."
        )
    }
}
