/// What both sides of the wire agree on beyond its messages.
package enum WireProtocol {
    /// The one version that this package speaks.
    package static let version: UInt32 = 1
    /// Transactions in a page, and events in a batch: as many as fit the decoder's limit of fields.
    package static let transactionsMaximum = 128
    /// Products in a page: as many as fit the decoder's limit of fields, with several offers each.
    package static let productsMaximum = 64
}
