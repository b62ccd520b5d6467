import Foundation
import TillCatalogue
import TillEngine
import TillModel

/// The products of a session's configuration file.
struct SessionCatalogue: Catalogue {
    let file: StoreKitCatalogue

    var settings: StoreSettings {
        file.settings
    }

    var productIDs: [String] {
        file.productIDs
    }

    func product(_ id: String, locale: String?, storefront: String) -> Product? {
        file.product(id, locale: locale, storefront: storefront)
    }

    func contents(ofProduct id: String) -> [ContentSource] {
        file.contents(ofProduct: id)
    }

    func hasStorefront(countryCode: String) -> Bool {
        file.hasStorefront(countryCode: countryCode)
    }

    func storefront(countryCode: String) -> Storefront {
        file.storefront(countryCode: countryCode)
    }

    func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError? {
        file.fault(
            of: discount,
            application: application,
            productID: productID,
            applicationUsername: applicationUsername
        )
    }
}

/// Finds and reads the `.storekit` file of a session.
enum SessionFile {
    static let fileExtension = "storekit"

    static func read(_ url: URL) throws(SKTestError) -> StoreKitCatalogue {
        guard url.isFileURL else {
            throw SKTestError(.invalidURL, "\(url) is not a file URL.")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "The file \(url.path) does not exist.")
        }
        do {
            return try StoreKitCatalogue(files: [try StoreKitConfiguration(contentsOf: url.path)])
        } catch {
            throw SKTestError(.serviceUnavailable, "The configuration cannot be used. \(error.message)")
        }
    }

    /// Returns the first file with this name.
    static func find(
        _ name: String,
        bundle: URL = Bundle.main.bundleURL,
        current: URL = URL(filePath: FileManager.default.currentDirectoryPath)
    ) throws(SKTestError) -> URL {
        let name = name.hasSuffix(".\(fileExtension)") ? name : "\(name).\(fileExtension)"
        let places = [bundle] + resourceBundles(in: bundle).flatMap { [$0] + directories(in: $0) } + [current]
        let found = places.map { $0.appending(path: name) }.first { FileManager.default.fileExists(atPath: $0.path) }
        guard let found else {
            throw SKTestError(
                .fileNotFound,
                "\(name) is neither in a resource bundle next to \(bundle.path) nor in \(current.path)."
            )
        }
        return found
    }

    /// The resource bundles by the names that SwiftPM and Xcode use, in alphabetical order.
    private static func resourceBundles(in directory: URL) -> [URL] {
        contents(of: directory).filter { ["resources", "bundle"].contains($0.pathExtension) }
    }

    /// The directories of a bundle at any depth, in alphabetical order.
    private static func directories(in bundle: URL) -> [URL] {
        contents(of: bundle).filter(isDirectory).flatMap { [$0] + directories(in: $0) }
    }

    private static func contents(of directory: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.sorted().map { directory.appending(path: $0) }
    }

    private static func isDirectory(_ url: URL) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        return type == .typeDirectory
    }
}
