import FoundationEssentials
import TillModel

extension VerifiedReceipt {
    /// Reads the receipt's claims, if they are complete.
    init(unverified compact: CompactReceipt) throws(ReceiptFault) {
        let claims = compact.claims
        guard let signedDate = claims.signature else {
            throw .malformed("it does not say when it was signed")
        }
        let application = claims.bundleId
        guard application != nil || claims.kind == .renewal else {
            throw .malformed("it names no application")
        }
        guard let name = claims.receiptType ?? claims.environment else {
            throw .malformed("it names no environment")
        }
        guard let environment = ReceiptEnvironment(rawValue: name) else {
            throw .environment(name)
        }
        self.init(
            kind: claims.kind,
            application: application,
            environment: environment,
            signedDate: signedDate,
            transactionID: claims.transactionId,
            originalTransactionID: claims.originalTransactionId,
            productID: claims.productId,
            purchaseDate: claims.purchaseDate.map(Self.date),
            expirationDate: claims.expiresDate.map(Self.date),
            revocationDate: claims.revocationDate.map(Self.date),
            payload: compact.payload
        )
    }

    private static func date(milliseconds: Double) -> Date {
        Date(timeIntervalSince1970: milliseconds / 1000)
    }
}
