import FoundationEssentials
import TillModel
import TillOutput

/// A receipt from a file or from a daemon, which is not verified.
struct ReceiptText {
    let compact: String

    init(_ compact: String) {
        self.compact = compact
    }

    /// - Parameter file: A file's bytes, which may have whitespace around the receipt.
    init(file: [UInt8]) {
        let text = String(decoding: file, as: UTF8.self)
        compact = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The payload, which is JSON.
    func payload() throws(CommandFailure) -> String {
        let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else {
            throw CommandFailure(.fault, "The receipt is not a JWS in compact form.")
        }
        return String(decoding: payload, as: UTF8.self)
    }
}

/// The receipt of a transaction or of an application.
struct ReceiptLine: OutputLine {
    let receipt: String
    /// Nil for the receipt of an application.
    var transactionID: UUID?

    var text: String { receipt }

    var json: JSONObject {
        ["receipt": receipt, "transaction_id": transactionID]
    }
}

extension Console {
    /// Prints a receipt, or only its payload.
    func print(_ line: ReceiptLine, decoded: Bool, asJSON: Bool) throws {
        guard decoded else {
            return try print(line, asJSON: asJSON)
        }
        try print(try ReceiptText(line.receipt).payload().printable)
    }
}

/// A certificate in PEM.
struct CertificateOutput: Output {
    let lines: [String]

    var pem: String {
        lines.map { "\($0)\n" }.joined()
    }

    var json: JSONObject {
        ["certificate": pem]
    }
}
