package import FoundationEssentials
package import TillModel

/// The contents of one `.storekit` file of Xcode.
///
/// Files of every version are read by their keys, independent of their version number. Unknown keys are ignored with a
/// warning.
package struct StoreKitConfiguration: Hashable, Sendable {
    /// The version of the file format.
    package struct Version: Hashable, Sendable {
        package var major: Int
        package var minor: Int

        package init(major: Int, minor: Int) {
            self.major = major
            self.minor = minor
        }
    }

    /// The path or name of the file.
    package var fileName: String
    /// The path of the file's content manifest, if one was read.
    package var manifestName: String?
    /// The file's identifier, which is not the app's bundle identifier; missing before version 1.1.
    package var identifier: String?
    package var version: Version?
    /// In the file's order: products, non-renewing subscriptions, then the groups' subscriptions.
    package var products: [CatalogueProduct]
    package var settings: CatalogueSettings
    package var subscriptionOffersKeyPair: OfferKeyPair?
    package var warnings: [Diagnostic]

    init(
        fileName: String,
        identifier: String?,
        version: Version?,
        products: [CatalogueProduct],
        settings: CatalogueSettings,
        subscriptionOffersKeyPair: OfferKeyPair?,
        warnings: [Diagnostic]
    ) {
        self.fileName = fileName
        self.identifier = identifier
        self.version = version
        self.products = products
        self.settings = settings
        self.subscriptionOffersKeyPair = subscriptionOffersKeyPair
        self.warnings = warnings
    }

    /// The number of pieces of content of its products.
    package var contentCount: Int {
        products.reduce(0) { $0 + $1.contents.count }
    }

    /// Reads a file and its content manifest, if there is one. Blocks on disk reads.
    ///
    /// Throws an error with the file, the product and the reason if the file cannot be read or has an error.
    package init(contentsOf path: String) throws(TillError) {
        let reading: CatalogueReading
        do {
            reading = try CatalogueReading(path: path)
        } catch {
            throw TillError(error.code, "\(path): \(error.reason).")
        }
        try self.init(reading)
    }

    /// Reads the contents of a file without a content manifest; `fileName` is its name in messages.
    package init(data: Data, fileName: String) throws(TillError) {
        try self.init(CatalogueReading(bytes: Array(data), fileName: fileName))
    }

    private init(_ reading: CatalogueReading) throws(TillError) {
        guard let configuration = reading.configuration else {
            throw reading.refusal ?? TillError(.internal, "The catalogue was refused for an unknown reason.")
        }
        self = configuration
    }
}
