/// What both sides of the wire agree on beyond its messages.
package enum WireProtocol {
    /// The one version that this package speaks.
    package static let version: UInt32 = 1
    /// Transactions in a page, and events in a batch: as many as fit the decoder's limit of fields.
    package static let transactionsMaximum = 128
    /// Products in a page: as many as fit the decoder's limit of fields, with four offers each.
    /// Who fills a page also counts its bytes: a catalogue's texts have no limit of their own.
    package static let productsMaximum = 64
}
