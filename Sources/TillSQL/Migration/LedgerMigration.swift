package import FoundationEssentials
import TillAudit
import TillModel

/// A place that has a ledger or could have one, and which no daemon uses while this exists.
package protocol MigrationPlace {
    /// An absolute path or an address without secrets, for errors and marks.
    var name: String { get }

    func standing() throws -> LedgerStanding

    /// Runs `body` on one state of the ledger's rows.
    ///
    /// - Throws: `failedPrecondition` unless its schema is the newest; the errors of `body`.
    func read<Value>(_ body: (any MigratingConnection) throws -> Value) throws -> Value

    /// Runs `body` on the tables of a new ledger, or of the ledger that this replaces. Nothing has changed unless all of it is
    /// durable.
    func replace(_ body: (any MigratingConnection) throws -> Void) throws

    /// Runs `body` in one transaction, which is durable on return.
    func change(_ body: (any MigratingConnection) throws -> Void) throws
}

/// Moves a ledger from one place to another, row by row, with everything that clients know of it.
///
/// The copy and its comparison are one transaction at the target, whose ledger has the mark ``LedgerMark/arriving(from:)``
/// then. Next the source gets the mark ``LedgerMark/moved(to:)``, and at last the target's mark goes. So at any moment at most
/// one of the two can be used, and after a crash the same migration continues where it was.
package struct LedgerMigration {
    /// What was moved.
    package struct Outcome: Hashable, Sendable {
        package let ledgerID: UUID
        /// Of all tables, in the order in which they were copied.
        package let tables: [TableDigest]
        /// Links of the audit log, all of them verified.
        package let auditCount: Int
    }

    /// What is read or written at the time, for people who wait.
    package struct Progress: Sendable {
        package enum Work: Sendable {
            case copying
            case comparing
        }

        package var work: Work
        package var table: String
        package var rowCount: Int
    }

    enum Step: Equatable {
        case copy(UUID)
        /// Only the target's mark is left to be removed.
        case finish(UUID)
    }

    /// Rows between two reports of the progress.
    private static let progressInterval = 10_000
    /// Links of the audit log that are verified at once.
    private static let auditPage = 500

    private let source: any MigrationPlace
    private let target: any MigrationPlace
    private let report: (Progress) -> Void
    private let didCopy: () throws -> Void

    /// - Parameters:
    ///   - report: Called now and then while rows are read.
    ///   - didCopy: Copies what belongs to the ledger and is not in it. Called once the ledger is copied, and again if the migration
    ///     is interrupted then.
    package init(
        from source: any MigrationPlace,
        to target: any MigrationPlace,
        report: @escaping (Progress) -> Void,
        didCopy: @escaping () throws -> Void = {}
    ) {
        self.source = source
        self.target = target
        self.report = report
        self.didCopy = didCopy
    }

    /// Moves the ledger, or finishes what an interrupted migration has left. Blocks.
    ///
    /// - Throws: `notFound` without a ledger at the source; `failedPrecondition` for a ledger at the target, a source that
    ///   was moved or has an older schema, and rows that the target cannot store; `dataLoss` for damage, and for a target
    ///   that does not hold what was copied. The source can be used then, and the target has no ledger that can.
    package func run() throws -> Outcome {
        switch try Self.step(source, source.standing(), target, target.standing()) {
        case .copy(let id):
            let outcome = try copy(id)
            try didCopy()
            try source.change { try $0.setMark(.moved(to: target.name)) }
            try target.change { try $0.setMark(nil) }
            return outcome
        case .finish(let id):
            try target.change { try $0.setMark(nil) }
            return try target.read { try outcome(id, $0) }
        }
    }

    /// What there is to do.
    static func step(
        _ source: any MigrationPlace,
        _ sourceStanding: LedgerStanding,
        _ target: any MigrationPlace,
        _ targetStanding: LedgerStanding
    ) throws(TillError) -> Step {
        switch (sourceStanding, targetStanding) {
        case (.missing, _):
            throw TillError(.notFound, "There is no ledger in \(source.name): name the place that has it.")
        case (.marked(let id, .moved), .marked(let other, .arriving)) where id == other:
            return .finish(id)
        case (.marked(_, let mark), _):
            throw mark.refusal(of: "The ledger in \(source.name)")
        case (.usable(let id), .missing):
            return .copy(id)
        case (.usable(let id), .marked(let other, _)) where id == other:
            return .copy(id)
        case (.usable, .usable), (.usable, .marked):
            throw TillError(
                .failedPrecondition,
                """
                There is a ledger in \(target.name) already: name a place without one, or remove that ledger if nobody \
                needs it.
                """
            )
        }
    }

    /// Copies everything, and compares it.
    private func copy(_ id: UUID) throws -> Outcome {
        try source.read { source in
            var copied: Outcome?
            try target.replace { target in
                let tables = try target.ledgerTables()
                try requireSameTables(source.ledgerTables(), tables)
                try target.removeRows(of: tables)
                let digests = try tables.map { try copy($0, from: source, to: target) }
                for (table, key) in try source.lastKeys().sorted(by: { $0.key < $1.key }) {
                    try target.continueKeys(of: table, after: key)
                }
                try target.setIdentity(id)
                let outcome = try outcome(id, target)
                try Self.requireSame(digests, outcome.tables)
                try target.setMark(.arriving(from: self.source.name))
                copied = outcome
            }
            guard let copied else {
                throw TillError(.internal, "The migration ended without its work.")
            }
            return copied
        }
    }

    private func copy(
        _ table: LedgerTable,
        from source: any MigratingConnection,
        to target: any MigratingConnection
    ) throws -> TableDigest {
        var digest = TableDigest.Builder(table)
        let rows = TableRows(table: table, connection: source, refusesNUL: target.dialect == .postgresql)
        try target.insertRows(into: table) { insert in
            try rows.forEach { values in
                digest.add(values)
                try insert(values)
                noteProgress(.copying, table, digest.rowCount)
            }
        }
        return digest.digest
    }

    private func outcome(_ id: UUID, _ connection: any MigratingConnection) throws -> Outcome {
        let digests = try connection.ledgerTables().map { table in
            try TableDigest(of: TableRows(table: table, connection: connection)) { noteProgress(.comparing, table, $0) }
        }
        return Outcome(ledgerID: id, tables: digests, auditCount: try verifiedAudit(connection))
    }

    /// How many links the audit log has.
    private func verifiedAudit(_ connection: any MigratingConnection) throws -> Int {
        let rows = SQLTransaction(connection)
        var head = AuditHead.start
        while case let links = try rows.audit(after: head.sequence, limit: Self.auditPage), !links.isEmpty {
            switch AuditChain.verify(links, after: head) {
            case .intact(let next):
                head = next
            case .broken(let sequence, _):
                throw TillError(
                    .dataLoss,
                    "The audit log was changed from entry \(sequence) on: restore the ledger from a backup."
                )
            }
        }
        return Int(head.sequence)
    }

    private func requireSameTables(_ old: [LedgerTable], _ new: [LedgerTable]) throws(TillError) {
        if let table = Set(old).symmetricDifference(new).map(\.name).min() {
            throw TillError(
                .failedPrecondition,
                "The places differ in the table \(table): remove tables and columns that are not Till's."
            )
        }
    }

    static func requireSame(_ copied: [TableDigest], _ found: [TableDigest]) throws(TillError) {
        if let table = Set(copied).symmetricDifference(found).map(\.table).min() {
            throw TillError(
                .dataLoss,
                "The table \(table) is not the same after it was copied: check the disks and the memory of both machines."
            )
        }
    }

    private func noteProgress(_ work: Progress.Work, _ table: LedgerTable, _ count: Int) {
        if count.isMultiple(of: Self.progressInterval) {
            report(Progress(work: work, table: table.name, rowCount: count))
        }
    }
}
