public import FoundationEssentials

/// A daemon among those that share a ledger, or one that did.
public struct LedgerHost: Hashable, Sendable {
    /// The name that the operator gave it.
    public var name: String
    /// Whether it uses the ledger now. A daemon that is paused or cut off counts until the database ends its session.
    public var isLive: Bool
    /// Whether it is the daemon that answers.
    public var isAnswering: Bool
    /// When it opened the ledger the last time, by the database's clock.
    public var openedAt: Date
    /// How many commits it has made.
    public var commits: UInt64
    /// Its version of Till; empty if a Till opened the ledger that did not say it.
    public var version: String
    /// The SHA-256 of its catalogue files; empty as ``version``.
    public var catalogueHash: [UInt8]
    /// The SHA-256 of the configuration that hosts should have alike; empty as ``version``.
    public var configurationHash: [UInt8]

    public init(
        name: String,
        isLive: Bool,
        isAnswering: Bool,
        openedAt: Date,
        commits: UInt64,
        version: String,
        catalogueHash: [UInt8],
        configurationHash: [UInt8]
    ) {
        self.name = name
        self.isLive = isLive
        self.isAnswering = isAnswering
        self.openedAt = openedAt
        self.commits = commits
        self.version = version
        self.catalogueHash = catalogueHash
        self.configurationHash = configurationHash
    }

    /// What live hosts should have alike and have not, in sentences; none if they agree.
    public static func differences(of hosts: [LedgerHost]) -> [String] {
        let live = hosts.filter(\.isLive)
        let parts: [(String, Bool)] = [
            ("versions of Till", Set(live.map(\.version)).count > 1),
            ("catalogues", Set(live.map(\.catalogueHash)).count > 1),
            ("configurations", Set(live.map(\.configurationHash)).count > 1),
        ]
        return parts.filter(\.1).map { "The live hosts have different \($0.0): make them the same." }
    }
}
