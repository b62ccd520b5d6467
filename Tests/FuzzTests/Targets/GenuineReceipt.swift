import Foundation
import TillReceiptVerification

/// The only receipt that a fuzzed verifier may believe, and the root that it was signed under; both keys are gone.
enum GenuineReceipt {
    static let compact = ""
    private static let root = ""

    static let verifier: ReceiptVerifier? = Data(base64Encoded: root).flatMap { root in
        try? ReceiptVerifier(rootCertificates: [Array(root)])
    }
}
