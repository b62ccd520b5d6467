import TillEngine
package import TillModel
import TillWire

/// Takes backups of the files of a running daemon.
package protocol BackupSource: Sendable {
    /// Sends the bytes of a backup in order. Only one backup is taken at a time.
    ///
    /// - Parameters:
    ///   - partMaximum: The most bytes to send at a time.
    ///   - record: Records the backup in the audit log before the ledger is copied, so that the copy has the entry.
    ///   - send: Takes the next bytes; with the summary once the ledger is copied, and with neither to
    ///     show that the copy is still being made.
    /// - Throws: `failedPrecondition` during another backup, or if the disk is too full.
    func backUp(
        withKeys: Bool,
        partMaximum: Int,
        recording record: @Sendable () async throws -> Void,
        to send: @escaping @Sendable (BackupSummary?, [UInt8]) async throws -> Void
    ) async throws
}

extension TillService {
    func addBackups(to table: inout SessionMethods) {
        table.streaming { (session, _, request: BackupRequest, writer) in
            let identity = try session.operatorIdentity(because: request.reason)
            if request.withKeys {
                try session.checkMayHaveKeys()
            }
            guard let backups else {
                throw TillError(
                    .failedPrecondition,
                    "The ledger is not in a file: back up a ledger in PostgreSQL with PostgreSQL's own tools."
                )
            }
            let maximum = WireProtocol.backupPartMaximumBytes
            try await backups.backUp(withKeys: request.withKeys, partMaximum: maximum) {
                try await engine.recordBackup(withKeys: request.withKeys, by: identity)
            } to: { summary, bytes in
                try await writer.write(BackupResponse(summary: summary, data: bytes))
            }
        }
    }
}
