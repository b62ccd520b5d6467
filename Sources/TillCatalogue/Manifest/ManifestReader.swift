import TillModel

/// Reads a content manifest. It continues after an error to report all errors.
///
/// Unlike in Xcode's files, a value of another type is an error, because the manifest was written for Till.
struct ManifestReader {
    static let version = 1

    var findings: Findings
    /// The base directory of relative sources: absolute, without a trailing slash.
    let directory: String
    /// The manifest's catalogue; nil if the catalogue has errors.
    private let configuration: StoreKitConfiguration?
    private let types: [String: ProductType]
    private var contentCount = 0

    /// The contents by product, which are valid only if the findings contain no error.
    ///
    /// - Parameter configuration: The manifest's catalogue; nil if it cannot be read, in which case its products are
    ///   not checked.
    static func read(
        _ bytes: [UInt8],
        path: String,
        for configuration: StoreKitConfiguration?
    ) -> (contents: [String: [ContentSource]], findings: Findings) {
        var reader = ManifestReader(path: path, configuration)
        let contents = reader.contents(bytes)
        return (contents, reader.findings)
    }

    private init(path: String, _ configuration: StoreKitConfiguration?) {
        findings = Findings(file: path)
        directory = SourceLocation.directory(of: path)
        self.configuration = configuration
        let products = configuration?.products ?? []
        types = Dictionary(products.map { ($0.id, $0.type) }) { first, _ in first }
    }

    private mutating func contents(_ bytes: [UInt8]) -> [String: [ContentSource]] {
        guard let members = findings.object(in: bytes, expected: "a content manifest") else { return [:] }
        let manifest = findings.fields(members, .manifest)
        guard let version = manifest.members["version"]?.integer, version == Self.version else {
            expect("version", "\(Self.version)", found: manifest.members["version"])
            return [:]
        }
        guard let products = manifest.members["products"]?.object else {
            expect("products", "an object with a list of pieces by product", found: manifest.members["products"])
            return [:]
        }
        var contents: [String: [ContentSource]] = [:]
        for (id, pieces) in products.sorted(by: { $0.key < $1.key }) {
            contents[id] = self.contents(of: id, pieces)
        }
        return contents
    }

    private mutating func contents(of id: String, _ value: JSONValue) -> [ContentSource] {
        guard Identifier.isValid(id) else {
            let rule = "1 to \(Identifier.maximumBytes) of A-Z a-z 0-9 . _ : -"
            findings.error("products has the key \(id.quoted), which is not a product identifier: use \(rule)")
            return []
        }
        examine(id)
        guard let pieces = value.array else {
            findings.error("products.\(id) is not a list of pieces", product: id)
            return []
        }
        guard pieces.count <= CatalogueLimits.contentsOfProduct else {
            findings.error("there are more than \(CatalogueLimits.contentsOfProduct) pieces", product: id)
            return []
        }
        count(pieces.count)
        var identifiers: Set<String> = []
        return pieces.enumerated().compactMap { index, piece in
            content(piece, Place(product: id, index: index), &identifiers)
        }
    }

    /// Checks whether the product may have content.
    private mutating func examine(_ id: String) {
        guard let configuration else { return }
        switch types[id] {
        case nil:
            findings.error("the product is not in \(configuration.fileName)", product: id)
        case .consumable?:
            findings.warning(
                "the product is a consumable, so its content cannot be downloaded again after it was finished",
                product: id
            )
        case .nonConsumable?, .nonRenewingSubscription?, .autoRenewableSubscription?:
            break
        }
    }

    private mutating func count(_ pieces: Int) {
        let isWithin = contentCount <= CatalogueLimits.contents
        contentCount += pieces
        if isWithin, contentCount > CatalogueLimits.contents {
            findings.error("the file has more than \(CatalogueLimits.contents) pieces of content")
        }
    }
}

/// Maps `.storekit` files to their content manifests: `Notes.content.json` belongs to `Notes.storekit` in the same
/// directory.
package enum ManifestPath {
    package static let suffix = ".content.json"
    private static let catalogueSuffix = ".storekit"

    /// The path of a catalogue file's manifest, whether or not it exists.
    package static func manifest(of catalogue: String) -> String {
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
