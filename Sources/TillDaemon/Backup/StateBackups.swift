import Dispatch
import Foundation
import Glibc
import NIOConcurrencyHelpers
import TillCrypto
import TillEngine
import TillModel
import TillProviders
import TillReceipts
import TillSQLite
import TillService

/// Takes backups of the daemon's state while it is in use.
///
/// The ledger is copied as of one moment, and at that moment the provider's record ends for the backup: so the record is
/// never older than the ledger, as after a crash.
final class StateBackups: BackupSource {
    /// How often the caller learns that the ledger is still being copied: clients give a silent stream up.
    static let heartbeat = Duration.seconds(15)

    private let state: StateDirectory
    private let ledger: SQLiteLedger
    /// Nil for a provider that keeps its record elsewhere.
    private let simulated: SimulatedProvider?
    private let receipts: ReceiptAuthority
    private let time: any TimeSource
    private let isBusy = NIOLockedValueBox(false)

    init(
        _ state: StateDirectory,
        _ ledger: SQLiteLedger,
        simulated: SimulatedProvider?,
        receipts: ReceiptAuthority,
        time: any TimeSource
    ) {
        self.state = state
        self.ledger = ledger
        self.simulated = simulated
        self.receipts = receipts
        self.time = time
        // A crash may have left it.
        _ = unsafe unlink(state.snapshotPath)
    }

    func backUp(
        withKeys: Bool,
        partMaximum: Int,
        recording record: @Sendable () async throws -> Void,
        to send: @escaping @Sendable (BackupSummary?, [UInt8]) async throws -> Void
    ) async throws {
        guard
            isBusy.withLockedValue({ isBusy in
                defer { isBusy = true }
                return !isBusy
            })
        else {
            throw TillError(.failedPrecondition, "Another backup is being taken: wait until it has ended.")
        }
        defer { isBusy.withLockedValue { $0 = false } }
        let keys = withKeys ? try keyMembers() : []
        try await record()
        let date = time.now()
        let (snapshot, recordBytes) = try await whileBeating(send) { [ledger, simulated, state] in
            try await ledger.snapshot(path: state.snapshotPath) { try simulated?.recordByteCount() }
        }
        let members = try members(snapshot, recordBytes: recordBytes, keys, date)
        let parts = BackupParts(
            BackupWriter(members, date: UInt64(max(0, date.timeIntervalSince1970)), partMaximum: partMaximum)
        )
        let summary = BackupSummary(
            ledgerID: ledger.id,
            date: date,
            byteCount: await parts.byteCount,
            hasKeys: withKeys
        )
        try await send(summary, [])
        while let part = try await parts.next() {
            try await send(nil, part)
        }
    }

    /// Runs `body`, and sends a heartbeat from time to time.
    private func whileBeating<Value: Sendable>(
        _ send: @escaping @Sendable (BackupSummary?, [UInt8]) async throws -> Void,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.heartbeat)
                    try await send(nil, [])
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else {
                throw CancellationError()
            }
            return value
        }
    }

    private func members(
        _ snapshot: LedgerSnapshot,
        recordBytes: Int?,
        _ keys: [BackupWriter.Member],
        _ date: Date
    ) throws -> [BackupWriter.Member] {
        let manifest = BackupManifest(
            till: Daemon.version,
            ledgerID: ledger.id,
            schema: snapshot.schemaVersion,
            date: date,
            provider: simulated == nil ? .stripe : .simulated,
            keys: !keys.isEmpty
        )
        let copy = OpenFile(snapshot.descriptor, "the copy of the ledger", of: snapshot)
        var members = [
            BackupWriter.Member(name: .manifest, source: .bytes(try manifest.encoded())),
            BackupWriter.Member(name: .ledger, source: .file(copy, byteCount: snapshot.byteCount)),
        ]
        if let recordBytes {
            let record = try OpenFile(path: "\(state.path)/\(SimulatedRecord.fileName)")
            members.append(BackupWriter.Member(name: .record, source: .file(record, byteCount: recordBytes)))
        }
        members.append(BackupWriter.Member(name: .roots, source: .bytes(try roots())))
        return members + keys
    }

    private func keyMembers() throws(TillError) -> [BackupWriter.Member] {
        try receipts.keyFiles().compactMap { name, bytes in
            BackupMember(rawValue: "receipts/\(name)").map { BackupWriter.Member(name: $0, source: .bytes(bytes)) }
        }
    }

    /// The root certificates that receipts of the ledger may end in, the present one first.
    private func roots() throws(TillError) -> [UInt8] {
        let present = receipts.rootCertificate
        let former = try state.formerRoots().filter { $0 != present }
        let lines = ([present] + former).flatMap { PEM.encode($0) }
        return Array(lines.map { "\($0)\n" }.joined().utf8)
    }
}

/// The parts of one backup, which are read from the disk on a thread that may wait for it.
private actor BackupParts {
    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "till.backup")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async {
                unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
            }
        }
    }

    private let executor = Executor()
    private var writer: BackupWriter

    init(_ writer: sending BackupWriter) {
        self.writer = writer
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    var byteCount: UInt64 {
        writer.byteCount
    }

    func next() throws(TillError) -> [UInt8]? {
        try writer.next()
    }
}
