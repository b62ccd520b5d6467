import Foundation
import TestValues

/// The text of Proto/PROTOCOL.md.
enum ProtocolPage {
    static func text() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Proto/PROTOCOL.md"), encoding: .utf8)
    }

    /// The bytes of the page's blocks of hexadecimal, in order.
    static func frames() throws -> [[UInt8]] {
        try text().matches(of: /(?m)^```hex\n([^`]*)^```/).map { [UInt8](hex: String($0.output.1)) }
    }
}
