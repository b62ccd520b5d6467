import FoundationEssentials
import TillModel
import TillSQL

/// Who commits to a ledger.
package enum LedgerUse: Hashable, Sendable {
    /// One daemon.
    case alone
    /// The daemons of several hosts; this one has the identity.
    case host(HostIdentity)

    /// This daemon as a host; nil if it is the only daemon.
    var host: HostIdentity? {
        if case .host(let identity) = self { identity } else { nil }
    }
}

/// What a daemon says of itself to those it shares a ledger with.
package struct HostIdentity: Hashable, Sendable {
    package var name: String
    /// Its version of Till.
    package var version: String
    /// The SHA-256 of its catalogue.
    package var catalogue: [UInt8]
    /// The SHA-256 of the configuration that hosts should have alike.
    package var configuration: [UInt8]

    package init(name: String, version: String = "", catalogue: [UInt8] = [], configuration: [UInt8] = []) {
        self.name = name
        self.version = version
        self.catalogue = catalogue
        self.configuration = configuration
    }

    /// The name among the hosts of all ledgers in the database, as locks and notices have it.
    static func qualified(_ name: String, in schema: String) -> String {
        "\(schema)/\(name)"
    }
}

extension PostgresConnection {
    /// Counts the opening of the ledger by a host. A daemon that had its name may not commit any more.
    func openHost(_ identity: HostIdentity) throws {
        try run(
            """
            INSERT INTO hosts (name, fence, commits, opened_at, version, catalogue, configuration)
            VALUES (?1, 1, 0, clock_timestamp(), ?2, ?3, ?4)
            ON CONFLICT (name) DO UPDATE
            SET fence = hosts.fence + 1, opened_at = clock_timestamp(), version = excluded.version,
                catalogue = excluded.catalogue, configuration = excluded.configuration
            """,
            [
                SQLValue(identity.name), SQLValue(identity.version), .bytes(identity.catalogue),
                .bytes(identity.configuration),
            ]
        ) { _ in }
    }

    /// The hosts in the order of their names. Those live whose lock is held (``lockLedger(_:for:)``), of the class and of the
    /// name that ``HostIdentity/qualified(_:in:)`` makes.
    func hosts(answering own: String, limit: Int) throws -> [LedgerHost] {
        var hosts: [LedgerHost] = []
        try run(
            """
            SELECT h.name, h.commits, CAST(extract(epoch FROM h.opened_at) * 1000 AS bigint), coalesce(left(h.version, 64), ''),
                coalesce(h.catalogue, ''), coalesce(h.configuration, ''),
                CAST(EXISTS (SELECT \(AdvisoryLocks.holders(ofClass: Self.hostLockClass, name: "h.name"))) AS int)
            FROM hosts h ORDER BY h.name LIMIT ?1
            """,
            [SQLValue(limit: limit)]
        ) { row in
            let name = row.text(ofColumn: 0) ?? ""
            hosts.append(
                LedgerHost(
                    name: name,
                    isLive: row.integer(ofColumn: 6) == 1,
                    isAnswering: name == own,
                    openedAt: Date(millisecondsSince1970: row.integer(ofColumn: 2)),
                    commits: UInt64(exactly: row.integer(ofColumn: 1)) ?? 0,
                    version: row.text(ofColumn: 3) ?? "",
                    catalogueHash: row.bytes(ofColumn: 4),
                    configurationHash: row.bytes(ofColumn: 5)
                )
            )
        }
        return hosts
    }

    /// Takes or releases the lock that tells other hosts of an account's agent (``SharedAgents``). Nobody else ever waits for it.
    func changeAgentLock(_ function: String, _ account: String) throws {
        try run(
            "SELECT \(function)(\(SharedAgents.lockClass), hashtext(current_schema() || '/' || ?1))",
            [SQLValue(account)]
        ) { _ in }
    }
}
