/// Which content manifest belongs to which `.storekit` file: `Notes.content.json` to `Notes.storekit` beside it.
package enum ManifestPath {
    package static let suffix = ".content.json"
    private static let catalogueSuffix = ".storekit"

    /// Where the manifest of a catalogue file is, if it has one.
    static func manifest(of catalogue: String) -> String {
        stem(of: catalogue, catalogueSuffix).map { $0 + suffix } ?? catalogue + suffix
    }

    /// The catalogue file of a manifest; nil for a path that is no manifest's.
    static func catalogue(of manifest: String) -> String? {
        stem(of: manifest, suffix).map { $0 + catalogueSuffix }
    }

    private static func stem(of path: String, _ suffix: String) -> String? {
        path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : nil
    }
}
