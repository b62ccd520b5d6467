import FoundationEssentials

/// A certificate as text (RFC 7468).
package enum PEM {
    /// The maximum size of a file of certificates.
    package static let fileMaximumBytes = 64 << 10
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"
    private static let lineLength = 64

    package static func encode(_ der: [UInt8]) -> [String] {
        let text = Array(Data(der).base64EncodedString())
        let lines = stride(from: 0, to: text.count, by: lineLength).map {
            String(text[$0..<min($0 + lineLength, text.count)])
        }
        return [begin] + lines + [end]
    }

    /// All certificates of a file: those of its PEM text or, for other files, the file itself. The result is nil for
    /// malformed PEM.
    package static func certificates(in file: [UInt8]) -> [[UInt8]]? {
        let lines = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix(begin) }) else {
            return [file]
        }
        var certificates: [[UInt8]] = []
        var body: String?
        for line in lines {
            switch (line, body) {
            case (let line, nil) where line.hasPrefix(begin):
                body = ""
            case (let line, let text?) where line.hasPrefix(end):
                guard let der = Data(base64Encoded: text) else {
                    return nil
                }
                certificates.append(Array(der))
                body = nil
            case (let line, let text?):
                body = text + line.filter { !$0.isWhitespace }
            case (_, nil):
                break
            }
        }
        return body == nil ? certificates : nil
    }
}
