import Foundation

/// Small content manifests: complete defaults, with single members replaced or removed.
enum Manifest {
    static let sum = String(repeating: "0a", count: 32)

    static func file(_ changes: Document.Changes = [:]) -> String {
        Document.object(["version": "1", "products": "{\"org.example.pro\": [\(content())]}"], changes)
    }

    /// A manifest with these pieces of one product.
    static func with(_ contents: String...) -> String {
        file(["products": "{\"org.example.pro\": [\(contents.joined(separator: ","))]}"])
    }

    static func content(_ changes: Document.Changes = [:]) -> String {
        Document.object(
            [
                "identifier": #""templates""#,
                "version": #""1.2""#,
                "length": "3",
                "sha256": "\"\(sum)\"",
                "source": #""file:content/templates.json""#,
            ],
            changes
        )
    }
}

/// A test's directory with a catalogue; it is deleted with the object.
final class ManifestFolder {
    let path = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var catalogue: String { "\(path)/Notes.storekit" }
    var manifest: String { "\(path)/Notes.content.json" }

    /// Creates a catalogue with one non-consumable and one consumable, and a manifest if its text is given.
    convenience init(manifest text: String?) throws {
        try self.init()
        let products = Document.list(
            Document.product(["productID": #""org.example.pro""#, "type": #""NonConsumable""#]),
            Document.product()
        )
        try write(Document.file(["products": products]), to: "Notes.storekit")
        if let text { try write(text, to: "Notes.content.json") }
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}
