import FoundationEssentials
import TillModel

/// A receipt as it stands in a file or comes from a daemon; nothing in it is verified.
struct ReceiptText {
    let compact: String

    init(_ compact: String) {
        self.compact = compact
    }

    /// Of a file, which may have blanks and line feeds around it.
    init(file: [UInt8]) {
        let text = String(decoding: file, as: UTF8.self)
        compact = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// What it says, JSON.
    func payload() throws(CommandFailure) -> String {
        let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else {
            throw CommandFailure(.fault, "The receipt is no JWS in its compact form.")
        }
        return String(decoding: payload, as: UTF8.self)
    }
}
