import TillModel

/// Turns a content manifest's JSON into what the store hosts, and goes on after an error so that all of them are found.
///
/// Other than in the files of Xcode, a value of another type is an error: somebody wrote the manifest for Till.
struct ManifestReader {
    static let version = 1

    var findings: Findings
    /// What relative sources are resolved against: absolute, without a slash at the end.
    let directory: String
    /// The catalogue that it belongs to; nil when that has errors of its own.
    private let configuration: StoreKitConfiguration?
    private let types: [String: ProductType]
    private var contentCount = 0

    /// The contents by product; of use only without errors among the findings.
    ///
    /// - Parameter configuration: The catalogue beside it; nil when that cannot be read, which leaves its products out
    ///   of account.
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
            findings.error("products has the key \(id.quoted), which is no product's identifier, \(rule)")
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

    /// Whether the product may have content.
    private mutating func examine(_ id: String) {
        guard let configuration else { return }
        switch types[id] {
        case nil:
            findings.error("the product is not in \(configuration.fileName)", product: id)
        case .consumable?:
            findings.warning(
                "the product is a consumable, so nothing brings its content back once it was finished",
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
