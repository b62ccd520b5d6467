package import Foundation
import Glibc
import TillAudit
import TillEngine
import TillModel
import TillPostgres
import TillProviders
import TillReceiptVerification
import TillReceipts
import TillSQLite

/// Reads the ledger, the receipts and the provider's record of a stopped daemon, and reports damage. It changes nothing.
package struct StateCheck {
    /// The parts of the state, in the order in which they are read.
    package enum Part: String, CaseIterable, Sendable {
        /// The pages of the ledger's file and log.
        case ledger
        /// The transactions of a ledger in a database.
        case transactions
        /// The links of the audit log.
        case audit
        /// The signatures of the receipts.
        case receipts
        /// The charges of the simulated provider's record.
        case provider
    }

    /// The events of a check.
    package enum Event: Sendable {
        /// Damage in one sentence, with the transaction that it concerns, if any.
        case finding(Part, String, transaction: UUID?)
        /// The number of the part's pages, links, receipts or charges that were read so far.
        case progress(Part, Int)
        /// The end of a part.
        case end(Part, count: Int, findings: Int)
        /// The part cannot be read, because the ledger is damaged.
        case unread(Part)
    }

    /// The number of links or transactions per read.
    private static let page = 256

    private let state: StateDirectory
    /// The database that has the ledger; nil for a file in the state directory.
    private let database: PostgresAddress?
    private var verifier: ReceiptSeriesVerifier?
    private let report: (Event) throws -> Void
    private var findings = 0

    /// Reads everything, and calls `report` with each event.
    ///
    /// - Parameters:
    ///   - ledger: The address of the database that has the ledger; nil for a file in the state directory.
    ///   - rootFiles: Files with the root certificates in which receipts may end, in PEM or DER; by default the state
    ///     directory's own.
    ///   - report: An error that it throws ends the check.
    /// - Returns: Whether the state is undamaged.
    /// - Throws: `invalidArgument` for an invalid root or address; `notFound` without a ledger; `unavailable` without a
    ///   connection to the database; `failedPrecondition` while a daemon uses the directory, and for a ledger that this version
    ///   cannot read.
    package static func run(
        stateDirectory: String,
        ledger: String? = nil,
        rootFiles: [String] = [],
        report: @escaping (Event) throws -> Void
    ) async throws -> Bool {
        let database = try ledger.map { text throws(TillError) in try PostgresAddress(text) }
        let state =
            try database == nil
            ? StateDirectory(withLedgerAt: stateDirectory) : StateDirectory(existingAt: stateDirectory)
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        defer { withExtendedLifetime(lock) {} }
        let verifier = try verifier(state, rootFiles).map(ReceiptSeriesVerifier.init)
        var check = StateCheck(state: state, database: database, verifier: verifier, report: report)
        return try await check.run()
    }

    private init(
        state: StateDirectory,
        database: PostgresAddress?,
        verifier: ReceiptSeriesVerifier?,
        report: @escaping (Event) throws -> Void
    ) {
        self.state = state
        self.database = database
        self.verifier = verifier
        self.report = report
    }

    /// Accepts the receipts of the state directory's own authority, and those of authorities before a restore. Nil without
    /// any certificate.
    private static func verifier(_ state: StateDirectory, _ rootFiles: [String]) throws -> ReceiptVerifier? {
        guard rootFiles.isEmpty else {
            return try ReceiptVerifier(rootCertificates: rootFiles.flatMap(StateDirectory.certificates))
        }
        // A restored backup without keys has no directory of receipts before the first start.
        let hasOwn = unsafe access(state.receiptsPath, F_OK) == 0
        let own = hasOwn ? try ReceiptAuthority.rootCertificate(inDirectory: state.receiptsPath) : nil
        let roots = [own].compactMap(\.self) + (try state.formerRoots())
        return roots.isEmpty ? nil : try ReceiptVerifier(rootCertificates: roots)
    }

    private mutating func run() async throws -> Bool {
        let path = state.path
        if let database {
            let ledger = try PostgresLedgerCheck(database)
            try await check(ledger)
            try checkProvider { try SimulatedRecord.charges(in: path).count + ledger.simulatedChargeCount() }
        } else {
            try await checkFile()
            try checkProvider { try SimulatedRecord.charges(in: path).count }
        }
        return findings == 0
    }

    private mutating func check(_ database: PostgresLedgerCheck) async throws {
        let (count, found) = try database.rows()
        for finding in found {
            try add(.transactions, finding)
        }
        try report(.end(.transactions, count: count, findings: findings))
        try await checkEntries(database)
    }

    private mutating func checkFile() async throws {
        let file = try LedgerFileCheck(path: state.ledgerPath)
        for finding in file.findings {
            try add(.ledger, finding)
        }
        try report(.end(.ledger, count: file.pageCount, findings: findings))
        let ledger = findings == 0 ? try SQLiteLedger.openReadOnly(path: state.ledgerPath) : nil
        try await checkEntries(ledger)
        try await ledger?.close()
    }

    /// Reads the audit log and the receipts, unless there is damage already.
    ///
    /// - Parameter ledger: Nil for a damaged one.
    private mutating func checkEntries(_ ledger: (some CheckedLedger)?) async throws {
        guard findings == 0, let ledger else {
            try report(.unread(.audit))
            try report(.unread(.receipts))
            return
        }
        try await checkAudit(ledger)
        try await checkReceipts(ledger)
    }

    private mutating func add(_ part: Part, _ sentence: String, transaction: UUID? = nil) throws {
        findings += 1
        try report(.finding(part, sentence, transaction: transaction))
    }

    private mutating func checkAudit(_ ledger: some CheckedLedger) async throws {
        let before = findings
        var head = AuditHead.start
        while findings == before, case let links = try await Self.links(after: head, in: ledger), !links.isEmpty {
            switch AuditChain.verify(links, after: head) {
            case .intact(let next): head = next
            case .broken(let sequence, _):
                try add(.audit, "The audit log was changed from entry \(sequence) on.")
            }
            try report(.progress(.audit, Int(head.sequence)))
        }
        try report(.end(.audit, count: Int(head.sequence), findings: findings - before))
    }

    private mutating func checkReceipts(_ ledger: some CheckedLedger) async throws {
        let before = findings
        var count = 0
        var last = Int64(0)
        while case let records = try await Self.transactions(after: last, in: ledger), let end = records.last?.key {
            last = end
            for record in records {
                guard let receipt = record.receipt else {
                    continue
                }
                count += 1
                if let fault = fault(of: receipt) {
                    try add(.receipts, "Transaction \(record.id.text): \(fault)", transaction: record.id)
                }
            }
            try report(.progress(.receipts, count))
        }
        try report(.end(.receipts, count: count, findings: findings - before))
    }

    private static func transactions(after key: Int64, in ledger: some CheckedLedger) async throws
        -> [TransactionRecord]
    {
        try await ledger.read { try $0.transactions(matching: TransactionFilter(), afterKey: key, limit: page) }
    }

    private static func links(after head: AuditHead, in ledger: some CheckedLedger) async throws -> [AuditLink] {
        try await ledger.read { try $0.audit(after: head.sequence, limit: page) }
    }

    /// Returns the fault of a receipt in one sentence; nil without a fault.
    private mutating func fault(of receipt: SignedReceipt) -> String? {
        do {
            guard try verifier?.verify(receipt.compact) != nil else {
                return "Its receipt cannot be verified without a root certificate: name one with --root."
            }
            return nil
        } catch {
            return error.message
        }
    }

    /// - Parameter read: Reads the record, and returns how many charges it has.
    private mutating func checkProvider(_ read: () throws -> Int) throws {
        let before = findings
        var count = 0
        do {
            count = try read()
        } catch let error as TillError where error.code == .dataLoss {
            try add(.provider, error.message)
        }
        try report(.end(.provider, count: count, findings: findings - before))
    }
}

/// A ledger that a check reads.
private protocol CheckedLedger {
    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value
}

extension SQLiteLedger: CheckedLedger {}
extension PostgresLedgerCheck: CheckedLedger {}
