import Foundation

/// What Proto/PROTOCOL.md says.
enum ProtocolPage {
    static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Proto/PROTOCOL.md"), encoding: .utf8)
    }

    /// The bytes of the page's blocks of hexadecimal, in order.
    static func frames() throws -> [[UInt8]] {
        try text().matches(of: /(?m)^```hex\n([^`]*)^```/).map { bytes(hex: String($0.output.1)) }
    }

    /// Blanks are skipped, and each `#` starts a comment up to the end of its line.
    private static func bytes(hex: String) -> [UInt8] {
        let digits = hex.split(separator: "\n").flatMap { $0.prefix { $0 != "#" } }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
