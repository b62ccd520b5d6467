import TillModel

/// Reads a configuration from a file's JSON. It continues after an error to report all errors.
struct ConfigurationReader {
    var findings: Findings
    var settings = CatalogueSettings()
    /// The identifiers of the products so far, including refused ones.
    private var productIDs: Set<String> = []
    /// The subscription groups so far.
    var groupIDs: Set<String> = []
    private var productCount = 0

    /// Reads a configuration, which is nil if and only if the findings contain an error.
    static func read(_ bytes: [UInt8], fileName: String) -> (configuration: StoreKitConfiguration?, findings: Findings)
    {
        var reader = ConfigurationReader(findings: Findings(file: fileName))
        let configuration = reader.configuration(bytes)
        return (reader.findings.errorCount == 0 ? configuration : nil, reader.findings)
    }

    private init(findings: Findings) {
        self.findings = findings
    }

    private mutating func configuration(_ bytes: [UInt8]) -> StoreKitConfiguration? {
        guard let file = file(bytes) else { return nil }
        settings = readSettings(file)
        let products =
            someProducts("products", of: file).compactMap { product($0, at: "products") }
            + someProducts("nonRenewingSubscriptions", of: file).compactMap {
                product($0, at: "nonRenewingSubscriptions")
            }
            + list("subscriptionGroups", of: file).flatMap { group($0) }
        ["subscriptionBundleGroups", "subscriptionSuiteGroups"].forEach { warnUnlessEmpty($0, of: file) }
        if productCount == 0 { findings.warning("the file has no products") }
        let version = version(file)
        let keyPair = keyPair(file)
        return StoreKitConfiguration(
            fileName: findings.file,
            identifier: text("identifier", of: file),
            version: version,
            products: products,
            settings: settings,
            subscriptionOffersKeyPair: keyPair,
            warnings: findings.diagnostics.filter { $0.severity == .warning }
        )
    }

    /// The entries of a list of products, truncated just above the limit, so that a list that is too long is refused
    /// quickly.
    mutating func someProducts(_ key: String, of fields: Fields) -> ArraySlice<JSONValue> {
        list(key, of: fields).prefix(CatalogueLimits.products + 1)
    }

    /// Adds a warning if the file contains unsupported products.
    private mutating func warnUnlessEmpty(_ key: String, of file: Fields) {
        if let value = file.members[key], value != .array([]), value != .null {
            findings.warning("\(key) are not supported and are ignored")
        }
    }

    private mutating func file(_ bytes: [UInt8]) -> Fields? {
        guard let members = findings.object(in: bytes, expected: "a StoreKit configuration") else { return nil }
        guard members["products"] != nil || members["subscriptionGroups"] != nil else {
            findings.error(
                "the file has neither products nor subscriptionGroups, so it is not a StoreKit configuration"
            )
            return nil
        }
        return fields(members, .file)
    }

    private mutating func version(_ file: Fields) -> StoreKitConfiguration.Version? {
        let known = 1...6
        guard let version = object("version", of: file, .version), let major = integer("major", of: version) else {
            findings.warning("the file has no format version")
            return nil
        }
        if !known.contains(major) {
            findings.warning("the format's major version \(major) is unknown; only its known parts are used")
        }
        return StoreKitConfiguration.Version(major: major, minor: integer("minor", of: version) ?? 0)
    }

    /// Registers a product; adds an error if there are too many products or if it is a duplicate.
    mutating func register(productID: String) {
        productCount += 1
        if productCount == CatalogueLimits.products + 1 {
            findings.error("the file has more than \(CatalogueLimits.products) products")
        }
        if !productIDs.insert(productID).inserted {
            findings.error("the product is duplicated in the file", product: productID)
        }
    }

    /// Reads an object; adds a warning for each unknown key, once per kind of object.
    mutating func fields(_ members: [String: JSONValue], _ kind: Fields.Kind, product: String? = nil) -> Fields {
        findings.fields(members, kind, product: product)
    }
}
