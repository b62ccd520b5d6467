import TillEngine

/// Signs receipts with a number, and keeps their content under that number.
// One thread runs the whole simulation, so no two threads access this.
final class SimulatedSigner: ReceiptSigner, @unchecked Sendable {
    private(set) var signed: [SignedReceipt: ReceiptFacts] = [:]

    func sign(_ facts: ReceiptFacts) -> SignedReceipt {
        let receipt = SignedReceipt(header: "header", body: "\(signed.count)")
        signed[receipt] = facts
        return receipt
    }

    func sign(_ facts: ApplicationReceiptFacts) -> SignedReceipt {
        SignedReceipt(header: "header", body: facts.receipts.map(\.body).joined(separator: " "))
    }

    func sign(_ facts: RenewalFacts) -> SignedReceipt {
        SignedReceipt(header: "header", body: facts.subscription.productID)
    }

    var rootCertificate: [UInt8] {
        []
    }
}
