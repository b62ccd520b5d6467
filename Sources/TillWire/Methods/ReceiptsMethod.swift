/// The calls of the service `till.v1.Receipts`, by their names.
package enum ReceiptsMethod: String, Hashable, Sendable, CaseIterable {
    /// Answers with a stream.
    case applicationReceipt = "ApplicationReceipt"
    case rootCertificate = "RootCertificate"

    package static let service = "till.v1.Receipts"
}
