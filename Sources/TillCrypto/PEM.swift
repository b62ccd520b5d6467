import FoundationEssentials

/// Certificates and keys as text (RFC 7468).
package enum PEM {
    /// A part of a text, between its lines BEGIN and END.
    package struct Document: Hashable, Sendable {
        package static let certificate = "CERTIFICATE"
        package static let privateKey = "PRIVATE KEY"

        /// The kind of the document, such as ``certificate``.
        package var label: String
        /// The bytes; nil if the lines are not their BASE64.
        package var bytes: [UInt8]?
    }

    /// The maximum size of a file that is read.
    package static let fileMaximumBytes = 64 << 10
    private static let begin = "-----BEGIN "
    private static let end = "-----END "
    private static let dashes = "-----"
    private static let lineLength = 64

    package static func encode(_ der: [UInt8], as label: String = Document.certificate) -> [String] {
        let text = Array(Data(der).base64EncodedString())
        let lines = stride(from: 0, to: text.count, by: lineLength).map {
            String(text[$0..<min($0 + lineLength, text.count)])
        }
        return ["\(begin)\(label)\(dashes)"] + lines + ["\(end)\(label)\(dashes)"]
    }

    /// The documents of a text; nil if one has no end, or the end of another one.
    package static func documents(in text: some StringProtocol) -> [Document]? {
        var documents: [Document] = []
        var open: (label: String, body: String)?
        for line in text.split(whereSeparator: \.isNewline) {
            if let (label, body) = open {
                if let ended = self.label(of: line, after: end) {
                    guard ended == label else {
                        return nil
                    }
                    documents.append(Document(label: label, bytes: Data(base64Encoded: body).map { Array($0) }))
                    open = nil
                } else {
                    open = (label, body + line.filter { !$0.isWhitespace })
                }
            } else if let label = label(of: line, after: begin) {
                open = (label, "")
            }
        }
        return open == nil ? documents : nil
    }

    /// All certificates of a file: those of its text, or the file itself if it is not text. Nil for a broken text.
    package static func certificates(in file: [UInt8]) -> [[UInt8]]? {
        let text = String(decoding: file, as: UTF8.self)
        guard text.contains("\(begin)\(Document.certificate)\(dashes)") else {
            return [file]
        }
        let documents = documents(in: text)?.filter { $0.label == Document.certificate }
        let certificates = documents?.compactMap(\.bytes)
        return certificates?.count == documents?.count ? certificates : nil
    }

    private static func label(of line: some StringProtocol, after start: String) -> String? {
        guard line.hasPrefix(start) else {
            return nil
        }
        let rest = line.dropFirst(start.count)
        return rest.firstRange(of: dashes).map { String(rest[..<$0.lowerBound]) }
    }
}
