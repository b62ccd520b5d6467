package import FoundationEssentials
package import TillModel

/// What one `.storekit` file of Xcode says.
///
/// Files of every version are read by the keys they have, never by their version number. Keys unknown here are ignored
/// and warned of.
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

    /// The path or name the file was read by.
    package var fileName: String
    /// The path of the content manifest beside the file, when it has one that was read.
    package var manifestName: String?
    /// The file's identifier, which is not the app's bundle identifier; absent before version 1.1.
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

    /// How many pieces of content its products have.
    package var contentCount: Int {
        products.reduce(0) { $0 + $1.contents.count }
    }

    /// Reads a file, and the content manifest beside it when there is one; blocks while the disk does.
    ///
    /// A file that cannot be read, or that has an error, is refused with the file, the product and the reason in one
    /// sentence.
    package init(contentsOf path: String) throws(TillError) {
        let reading: CatalogueReading
        do {
            reading = try CatalogueReading(path: path)
        } catch {
            throw TillError(error.code, "\(path): \(error.reason).")
        }
        try self.init(reading)
    }

    /// Reads the contents of a file without a content manifest; `fileName` is what messages call it.
    package init(data: Data, fileName: String) throws(TillError) {
        try self.init(CatalogueReading(bytes: Array(data), fileName: fileName))
    }

    private init(_ reading: CatalogueReading) throws(TillError) {
        guard let configuration = reading.configuration else {
            throw reading.refusal ?? TillError(.internal, "The catalogue was refused without a reason.")
        }
        self = configuration
    }
}
