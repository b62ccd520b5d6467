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
