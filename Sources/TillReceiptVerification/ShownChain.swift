import FoundationEssentials
import TillCrypto

/// The certificates in a receipt: a leaf, an intermediate and a root with the required extensions.
struct ShownChain {
    private static let count = 3
    /// The extensions, by Apple's identifiers, that mark a certificate for receipts, and one that issues such
    /// certificates.
    private static let markers = ["1.2.840.113635.100.6.11.1", "1.2.840.113635.100.6.2.1"]

    let leaf: Certificate
    let root: Certificate
    private let certificates: [Certificate]

    /// - Parameter roots: Certificates that are already read: reading one takes about as long as two signatures.
    init(_ header: ReceiptHeader, roots: [Certificate]) throws(ReceiptFault) {
        guard let texts = header.certificates else {
            throw .malformed("its header has no x5c, or one that is not all strings")
        }
        guard texts.count == Self.count else {
            throw .chainLength(texts.count)
        }
        var certificates: [Certificate] = []
        for text in texts {
            certificates.append(try Self.certificate(text, roots))
        }
        for (certificate, marker) in zip(certificates, Self.markers) where certificate[extension: marker] == nil {
            throw .certificate("a certificate lacks the extension \(marker)")
        }
        guard let leaf = certificates.first, leaf.publicKey.kind == .p256 else {
            throw .certificate("the leaf has no P-256 key")
        }
        self.certificates = certificates
        self.leaf = leaf
        root = certificates[Self.count - 1]
    }

    /// Checks that each certificate was valid at the date.
    func checkDates(at date: Date) throws(ReceiptFault) {
        try check(CertificatePath(certificates).dateFault(at: date))
    }

    /// Checks that each certificate was issued by the next one, which is the same for any date.
    func checkIssuers() throws(ReceiptFault) {
        try check(CertificatePath(certificates).isIssued ? nil : .broken)
    }

    private func check(_ fault: CertificatePath.Fault?) throws(ReceiptFault) {
        switch fault {
        case nil: break
        case .expired?: throw .chain("one had expired")
        case .notValidYet?: throw .chain("one was not valid yet")
        case .broken?: throw .chain("one was not issued by the next, or the next may not issue it")
        }
    }

    private static func certificate(_ text: String, _ roots: [Certificate]) throws(ReceiptFault) -> Certificate {
        guard let bytes = Data(base64Encoded: text), bytes.base64EncodedString() == text else {
            throw .certificate("a certificate is not base64")
        }
        guard bytes.count <= Certificate.bytesMaximum else {
            throw .tooLarge(bytes: bytes.count)
        }
        if let root = roots.first(where: { $0.der.elementsEqual(bytes) }) {
            return root
        }
        guard let certificate = try? Certificate(der: Array(bytes)) else {
            throw .certificate("a certificate is not DER")
        }
        return certificate
    }
}
