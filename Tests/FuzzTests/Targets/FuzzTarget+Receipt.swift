import TillReceiptVerification

extension FuzzTarget {
    /// A receipt, verified against the root of the only genuine receipt.
    static let receipt = FuzzTarget(
        "receipt",
        waiting: { input in
            guard let verifier = GenuineReceipt.verifier else { return promise(false, "the root is a certificate") }
            let text = String(decoding: input, as: UTF8.self)
            guard (try? await verifier.verify(text)) != nil else { return }
            promise(text == GenuineReceipt.compact, "only the genuine receipt passes")
        }
    )
}
