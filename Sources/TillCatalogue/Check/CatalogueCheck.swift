import FoundationEssentials
package import TillModel

/// Checks files as a catalogue would read them and reports all errors and warnings.
package struct CatalogueCheck: Sendable {
    /// The diagnostics by file, errors first, followed by conflicts between the files.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The files without errors.
    package private(set) var files: [StoreKitConfiguration] = []
    /// The number of errors, including those beyond the listing limit.
    package private(set) var errorCount = 0
    package private(set) var warningCount = 0
    /// The number of checked files, including content manifests.
    package private(set) var fileCount = 0

    /// Reads the files, each with its content manifest. Blocks on disk reads.
    ///
    /// - Parameter paths: The paths of `.storekit` files or content manifests; a manifest stands for its `.storekit`
    ///   file.
    package init(files paths: [String]) {
        var manifests = Set(paths.filter { ManifestPath.catalogue(of: $0) != nil })
        for path in paths where ManifestPath.catalogue(of: path) == nil {
            check(path, needsManifest: manifests.remove(ManifestPath.manifest(of: path)) != nil)
        }
        for path in paths where manifests.remove(path) != nil {
            ManifestPath.catalogue(of: path).map { check($0, needsManifest: true) }
        }
        StoreKitCatalogue.conflicts(files).forEach { add($0) }
    }

    /// The products of the files without an error.
    package var products: [CatalogueProduct] {
        files.flatMap(\.products)
    }

    /// Whether a catalogue of these files would be refused.
    package var hasErrors: Bool {
        errorCount > 0
    }

    /// The number of products of a type in the files without errors.
    package func productCount(of type: ProductType) -> Int {
        files.reduce(0) { $0 + $1.products.count { $0.type == type } }
    }

    /// The number of pieces of content in the files without errors.
    package var contentCount: Int {
        files.reduce(0) { $0 + $1.contentCount }
    }

    /// Adds an error.
    mutating func add(_ error: Diagnostic) {
        errorCount += 1
        diagnostics.append(error)
    }

    private mutating func check(_ path: String, needsManifest: Bool) {
        fileCount += 1
        do {
            let reading = try CatalogueReading(path: path, needsManifest: needsManifest)
            fileCount += reading.findings.count - 1
            for findings in reading.findings {
                diagnostics += findings.diagnostics
                errorCount += findings.errorCount
                warningCount += findings.warningCount
            }
            if let configuration = reading.configuration { files.append(configuration) }
        } catch {
            add(Diagnostic(.error, file: path, error.reason))
        }
    }
}

extension CatalogueCheck {
    /// The maximum number of bytes that ``checkContent(_:)`` reads.
    package var contentBytes: Int64 {
        contents.reduce(0) { $0 + $1.source.content.length }
    }

    /// Compares local content files with their manifests, for catalogue files without errors. Content on other hosts is
    /// not fetched. Blocks on disk reads.
    ///
    /// - Parameter progress: Called repeatedly with the number of checked bytes, up to ``contentBytes``.
    package mutating func checkContent(_ progress: (Int64) -> Void = { _ in }) {
        var done: Int64 = 0
        for content in contents {
            let fault = ContentFile.fault(of: content.source) { progress(done + $0) }
            if let fault {
                let message = "[\(content.index)].\(fault)"
                add(Diagnostic(.error, file: content.manifest, product: content.product, message))
            }
            done += content.source.content.length
            progress(done)
        }
    }

    private var contents: [(manifest: String, product: String, index: Int, source: ContentSource)] {
        files.flatMap { file in
            file.products.flatMap { product in
                product.contents.enumerated().filter { $1.url.isFileURL }.map { index, source in
                    (file.manifestName ?? file.fileName, product.id, index, source)
                }
            }
        }
    }
}

/// An error or a warning about a catalogue file.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        /// The file is refused.
        case error
        /// The file is accepted; the value in the message was ignored or replaced.
        case warning
    }

    package var severity: Severity
    /// The path or name of the file.
    package var file: String
    /// The affected product, if it has an identifier.
    package var product: String?
    /// One clause without a full stop. Text from the file is escaped and truncated for logging.
    package var message: String

    package init(_ severity: Severity, file: String, product: String? = nil, _ message: String) {
        self.severity = severity
        self.file = file
        self.product = product
        self.message = message
    }

    /// The file, the product and the message in one line.
    package var summary: String {
        [file, product, message].compactMap(\.self).joined(separator: ": ")
    }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String {
        "\(severity): \(summary)"
    }
}
