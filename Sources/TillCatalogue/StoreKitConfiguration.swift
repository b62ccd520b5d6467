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

    /// Reads a file; blocks while the disk does.
    ///
    /// A file that cannot be read, or that has an error, is refused with the file, the product and the reason in one
    /// sentence.
    package init(contentsOf path: String) throws(TillError) {
        let bytes: [UInt8]
        do {
            bytes = try CatalogueFile.bytes(path: path)
        } catch {
            throw TillError(error.code, "\(path): \(error.reason).")
        }
        try self.init(bytes: bytes, fileName: path)
    }

    /// Reads the contents of a file; `fileName` is what messages call it.
    package init(data: Data, fileName: String) throws(TillError) {
        try self.init(bytes: Array(data), fileName: fileName)
    }

    private init(bytes: [UInt8], fileName: String) throws(TillError) {
        let (configuration, findings) = ConfigurationReader.read(bytes, fileName: fileName)
        guard let configuration else {
            throw findings.refusal ?? TillError(.internal, "\(fileName): the file was refused without a reason.")
        }
        self = configuration
    }
}
