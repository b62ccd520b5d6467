public import TillModel
import TillWire

extension TillOperator {
    /// A page of the ledger's charges held against the provider's.
    ///
    /// - Parameter token: The `next` of the page before; nil for the first.
    public func reconcile(page token: UInt64? = nil) async throws(TillError) -> ReconciliationPage {
        try await read(.reconcile, ReconcileRequest(pageToken: token))
    }

    /// What operators did, the oldest first, after the link with a sequence.
    public func auditLog(after sequence: Int64 = 0) -> PagedList<AuditLink> {
        PagedList { [self] (token) async throws(TillError) in
            let after = token.map { Int64(clamping: $0) } ?? sequence
            let response: AuditResponse = try await read(.audit, AuditRequest(afterSequence: after))
            // The log has no gaps: an answer that does not go on is the last.
            let newest = response.links.last?.sequence ?? after
            return (response.links, newest > after ? UInt64(clamping: newest) : nil)
        }
    }
}
