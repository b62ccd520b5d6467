/// Verifies many receipts, and each chain of certificates once: all receipts that one leaf signed have the same header.
///
/// A receipt is accepted or refused as by ``ReceiptVerifier``, with the same fault.
package struct ReceiptSeriesVerifier: Sendable {
    private let verifier: ReceiptVerifier
    private var chains = VerifiedChains()

    package init(_ verifier: ReceiptVerifier) {
        self.verifier = verifier
    }

    /// Verifies a receipt at the date of its signature, for any application and environment.
    package mutating func verify(_ jws: String) throws(ReceiptFault) -> VerifiedReceipt {
        try verifier.verify(jws, &chains)
    }
}

/// Chains whose certificates were issued by one another up to a trusted root, by the headers that have them.
///
/// What is known of a chain holds for any date. Whether its certificates were valid when a receipt was signed is not known,
/// and is checked for each receipt.
struct VerifiedChains: Sendable {
    struct Entry: Sendable {
        let header: ReceiptHeader
        let chain: ShownChain
    }

    /// Beyond this, all are dropped, and verified again when they are needed. A header has about 2 KB, and at most 48 KB.
    static let countMaximum = 64

    private var entries: [[UInt8]: Entry] = [:]

    var count: Int {
        entries.count
    }

    /// - Parameter header: The header in JSON, byte by byte as it was signed.
    subscript(header: [UInt8]) -> Entry? {
        entries[header]
    }

    mutating func insert(_ entry: Entry, for header: [UInt8]) {
        if entries.count >= Self.countMaximum {
            entries = [:]
        }
        entries[header] = entry
    }
}
