import TillModel

/// Cuts pages and batches so that each fits into a frame of the wire, by an upper bound on the size of their parts.
enum PageWeight {
    /// The maximum weight of a page in bytes: well below the 256 KiB of a frame.
    static let maximum = 192 << 10

    /// As many of the first elements as a page may hold; one at least, if there is one.
    static func page<Element>(of elements: [Element], weight: (Element) -> Int) -> [Element] {
        var total = 0
        let count = elements.prefix { element in
            total += weight(element)
            return total <= maximum
        }
        .count
        return Array(elements.prefix(max(count, 1)))
    }

    /// A page of a list of transactions, and the token of the next page if there is more.
    ///
    /// - Parameters:
    ///   - limit: How many records were asked for.
    ///   - token: The token of a page that ends with the record.
    static func page(of records: [TransactionRecord], limit: Int, token: (TransactionRecord) -> UInt64?)
        -> (page: [TransactionRecord], next: UInt64?)
    {
        let page = page(of: records) { $0.weight }
        let isLast = records.count < limit && page.count == records.count
        return (page, isLast ? nil : page.last.flatMap(token))
    }
}

extension QueueEvent {
    /// An upper bound on its bytes on the wire.
    var weight: Int {
        switch self {
        case .updated(let transaction), .removed(let transaction), .revoked(let transaction): transaction.weight
        case .downloadsUpdated(let downloads): downloads.reduce(0) { $0 + $1.weight }
        case .storePaymentRequested(let payment): payment.weight
        case .storefrontChanged, .restoreFinished, .restoreFailed, .initialDeliveryStarted, .initialDeliveryEnded: 2048
        }
    }
}

extension Product {
    /// An upper bound on its bytes on the wire, and not less than its share of a message's fields.
    var weight: Int {
        let texts = [id, displayName, description, subscription?.groupID, subscription?.groupName]
        let offers = subscription?.offers ?? []
        return 1024 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + offers.reduce(0) { $0 + 1024 + ($1.id?.utf8.count ?? 0) }
            + contents.reduce(0) { $0 + 512 + $1.identifier.utf8.count }
    }
}

extension Transaction {
    /// An upper bound on its bytes on the wire, and not less than its share of a message's fields.
    var weight: Int {
        1024 + (error?.weight ?? 0) + (receipt?.utf8.count ?? 0) + payment.weight
            + downloads.reduce(0) { $0 + $1.weight }
    }
}

extension TransactionRecord {
    /// An upper bound on its bytes on the wire as applications see it.
    var weight: Int {
        1024 + (error?.weight ?? 0) + (receipt?.compactCount ?? 0) + payment.weight
            + downloads.reduce(0) { $0 + $1.download.weight }
    }
}

extension SubscriptionStatus {
    /// An upper bound on its bytes on the wire.
    var weight: Int {
        1024 + (renewalInfo?.utf8.count ?? 0)
    }
}

extension PaymentError {
    fileprivate var weight: Int {
        message.utf8.count + (providerCode?.utf8.count ?? 0)
    }
}

extension Payment {
    fileprivate var weight: Int {
        512 + productID.utf8.count + (applicationUsername?.utf8.count ?? 0) + (requestData?.count ?? 0)
            + (discount?.weight ?? 0)
    }
}

extension PaymentDiscount {
    fileprivate var weight: Int {
        256 + identifier.utf8.count + keyIdentifier.utf8.count + signature.utf8.count
    }
}

extension Download {
    fileprivate var weight: Int {
        512 + productID.utf8.count + content.identifier.utf8.count + (error?.message.utf8.count ?? 0)
            + (contentPath?.utf8.count ?? 0)
    }
}

/// A page token is the key of the row that its page ended with, so that the ledger can tell whether it gave the token.
extension LedgerReader {
    /// The key in a token: 0 for the first page.
    ///
    /// - Parameter isGiven: Whether a page can have ended with the row of this key.
    /// - Throws: `invalidArgument` for any other token.
    func key(ofToken token: UInt64, _ isGiven: (Int64) throws -> Bool) throws -> Int64 {
        guard let key = Int64(exactly: token), try key == 0 || isGiven(key) else {
            throw TillError.invalidPageToken(token)
        }
        return key
    }

    /// The revision in a token of a list that is in the order of the queue's changes: 0 for the first page.
    ///
    /// - Throws: `invalidArgument` for a revision that the queue has not reached.
    func revision(ofToken token: UInt64, in queue: QueueRecord?) throws -> UInt64 {
        guard token <= queue?.revision ?? 0 else {
            throw TillError.invalidPageToken(token)
        }
        return token
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
