import Foundation
import Testing

/// The page that lists how StoreKit differs on Linux.
enum MovingPage {
    static let path = "Sources/StoreKit/StoreKit.docc/MovingToLinux.md"

    /// Expects a row of the page that names the constraint and contains this text.
    static func explains(_ id: String, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try String(contentsOf: Sources.root.appending(path: path), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.contains("| \(id) |") }
        #expect(rows.contains { $0.contains(words) }, "\(path) does not explain \(id)", sourceLocation: sourceLocation)
    }
}
