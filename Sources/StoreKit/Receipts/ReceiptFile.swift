import Foundation
import TillModel

/// The application's receipt as a file that belongs to the user.
struct ReceiptFile: Sendable {
    let path: String

    /// The path in `TILL_RECEIPT`, else `till/APPLICATION/receipt` in the user's data directory.
    ///
    /// - Returns: Nil for a user without a home directory.
    static func standard(application: String, environment: [String: String]) -> ReceiptFile? {
        if let path = environment["TILL_RECEIPT"], !path.isEmpty {
            return ReceiptFile(path: path)
        }
        let name = application.hasPrefix(".") ? "_\(application)" : application
        return DefaultPaths.data(environment: environment).map { ReceiptFile(path: "\($0)/till/\(name)/receipt") }
    }

    var url: URL {
        URL(filePath: path)
    }

    /// Replaces the receipt atomically: a reader sees either the old one or the new one.
    func write(_ receipt: String) throws {
        let directory = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(receipt.utf8).write(to: url, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
