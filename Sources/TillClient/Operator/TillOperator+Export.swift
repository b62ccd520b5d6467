public import FoundationEssentials
public import TillModel
import TillWire

extension TillOperator {
    /// Reads what was charged and given back, for accounting: charge by charge, each followed by its refunds.
    ///
    /// The list is complete only if this returns: discard it if this throws. A lost connection is not retried.
    ///
    /// - Parameters:
    ///   - since: The first date; nil for all.
    ///   - until: The first later date that is left out; nil for none.
    ///   - receive: Takes the next charges and refunds.
    /// - Throws: `invalidArgument` unless `since` is before `until`; the errors of `receive`.
    public func exportEntries(
        since: Date? = nil,
        until: Date? = nil,
        receive: ([LedgerEntry]) async throws -> Void
    ) async throws {
        let request = ExportRequest(since: since, until: until)
        let stream = try await open { $0.export(request) }
        while let part = try await stream.nextUnlessAtEnd() {
            try await receive(part.entries)
        }
    }
}
