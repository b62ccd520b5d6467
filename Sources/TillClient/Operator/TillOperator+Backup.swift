public import TillModel
import TillWire

/// A part of a backup.
public struct BackupPart: Hashable, Sendable {
    /// What the backup is of; the same in all parts.
    public var summary: BackupSummary
    /// The next bytes of the file.
    public var bytes: [UInt8]
}

extension TillOperator {
    /// Takes a backup of the daemon's ledger while it runs.
    ///
    /// The file is complete only if this returns: discard it if this throws. A lost connection ends the backup, and it is
    /// not retried.
    ///
    /// - Parameters:
    ///   - withKeys: Whether to include the keys that sign receipts, which only root and the daemon's own user get.
    ///   - reason: Why, for the audit log: 1 to 256 bytes.
    ///   - receive: Takes the next bytes of the file.
    /// - Throws: `failedPrecondition` during another backup, or if the daemon's disk is too full; the errors of `receive`.
    @discardableResult
    public func backUp(
        withKeys: Bool = false,
        because reason: String,
        receive: (BackupPart) async throws -> Void
    ) async throws -> BackupSummary {
        let request = BackupRequest(reason: reason, withKeys: withKeys)
        let stream = try await open { $0.backup(request) }
        var summary: BackupSummary?
        var count: UInt64 = 0
        while let part = try await stream.nextUnlessAtEnd() {
            summary = summary ?? part.summary
            if let summary, !part.data.isEmpty {
                try await receive(BackupPart(summary: summary, bytes: part.data))
                count += UInt64(part.data.count)
            }
        }
        guard let summary, count == summary.byteCount else {
            throw TillError(.internal, "The daemon sent an incomplete backup; its log may say more.")
        }
        return summary
    }
}
