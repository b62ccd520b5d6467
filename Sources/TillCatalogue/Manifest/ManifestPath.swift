/// Maps `.storekit` files to their content manifests: `Notes.content.json` belongs to `Notes.storekit` in the same
/// directory.
package enum ManifestPath {
    package static let suffix = ".content.json"
    private static let catalogueSuffix = ".storekit"

    /// The path of a catalogue file's manifest, whether or not it exists.
    static func manifest(of catalogue: String) -> String {
        stem(of: catalogue, catalogueSuffix).map { $0 + suffix } ?? catalogue + suffix
    }

    /// The path of a manifest's catalogue file; nil for a path that is not a manifest's.
    static func catalogue(of manifest: String) -> String? {
        stem(of: manifest, suffix).map { $0 + catalogueSuffix }
    }

    private static func stem(of path: String, _ suffix: String) -> String? {
        path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : nil
    }
}
