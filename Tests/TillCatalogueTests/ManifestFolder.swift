import Foundation

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
