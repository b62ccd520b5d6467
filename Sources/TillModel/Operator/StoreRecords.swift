public import FoundationEssentials

/// An operator's action, chained by hash to all previous actions.
public struct AuditLink: Hashable, Sendable {
    /// The number of the link, from 1 without gaps.
    public var sequence: Int64
    public var date: Date
    public var uid: UInt32
    /// The name of the host of that user; empty for a daemon that shares its ledger with none.
    public var host: String
    /// The method, for example `Refund`.
    public var action: String
    /// The object of the action, for example a transaction's id.
    public var subject: String
    /// The action's parameters, in a fixed form.
    public var detail: String
    /// The reason, in the operator's words.
    public var reason: String
    /// The SHA-256 of the previous link; 32 zero bytes for the first.
    public var previousHash: [UInt8]
    /// The SHA-256 of this link.
    public var hash: [UInt8]

    public init(
        sequence: Int64,
        date: Date,
        uid: UInt32,
        host: String = "",
        action: String,
        subject: String,
        detail: String,
        reason: String,
        previousHash: [UInt8],
        hash: [UInt8]
    ) {
        self.sequence = sequence
        self.date = date
        self.uid = uid
        self.host = host
        self.action = action
        self.subject = subject
        self.detail = detail
        self.reason = reason
        self.previousHash = previousHash
        self.hash = hash
    }

    /// The user's name: `uid:1000`, or `uid:1000@kiosk-1` where hosts share the ledger.
    package var user: String {
        String(user: uid, host: host.isEmpty ? nil : host)
    }
}

/// A reading of the store's clock.
public struct ClockReading: Hashable, Sendable {
    /// The maximum by which the clock can be advanced at once: 20 years of 366 days.
    package static let advanceMaximum = Duration.seconds(20 * 366 * 86400)

    public var now: Date
    /// How far the clock is ahead of the machine's clock.
    public var offset: Duration
    /// Whether the clock can be advanced; only the simulated store's can.
    public var isAdjustable: Bool

    public init(
        now: Date,
        offset: Duration = .zero,
        isAdjustable: Bool = false
    ) {
        self.now = now
        self.offset = offset
        self.isAdjustable = isAdjustable
    }
}

/// A setting of the store, as text.
public struct Setting: Hashable, Sendable {
    public var name: String
    public var value: String
    /// A description of the allowed values.
    public var domain: String
    /// Whether an operator has changed it from the configured value.
    public var isChanged: Bool

    public init(
        name: String,
        value: String,
        domain: String,
        isChanged: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isChanged = isChanged
    }
}

/// A backup of a running daemon's ledger.
public struct BackupSummary: Hashable, Sendable {
    /// The identity that the ledger was created with.
    public var ledgerID: UUID
    /// When the ledger was copied.
    public var date: Date
    /// The size of the file.
    public var byteCount: UInt64
    /// Whether it has the keys that sign receipts.
    public var hasKeys: Bool

    public init(ledgerID: UUID, date: Date, byteCount: UInt64, hasKeys: Bool) {
        self.ledgerID = ledgerID
        self.date = date
        self.byteCount = byteCount
        self.hasKeys = hasKeys
    }
}
