import Foundation

/// The package's source files.
enum Sources {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct NotFound: Error {
        var folder: String
    }

    /// The texts of the Swift files in a folder; requires at least one, so that a check of all of them cannot pass
    /// without files.
    static func texts(in folder: String) throws -> [String] {
        let folder = root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let texts = try paths.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        guard !texts.isEmpty else {
            throw NotFound(folder: folder.path)
        }
        return texts
    }
}
