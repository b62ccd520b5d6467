package import TillModel

extension PaymentEngine {
    /// Links in one page of the audit log.
    package static let auditPageMaximum = 64

    /// A page of what operators did, the oldest first.
    ///
    /// - Parameters:
    ///   - sequence: Of the last link that the caller has; 0 for the first page.
    ///   - limit: 1 to ``auditPageMaximum``.
    package func audit(after sequence: Int64, limit: Int) async throws(TillError) -> [AuditLink] {
        guard (1...Self.auditPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.auditPageMaximum).")
        }
        return try await read { try $0.audit(after: sequence, limit: limit) }
    }
}
