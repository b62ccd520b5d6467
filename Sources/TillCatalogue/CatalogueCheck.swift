package import TillModel

/// Examines files as a catalogue would read them, and says everything that is wrong or worth a look.
package struct CatalogueCheck: Sendable {
    /// File by file, errors first, then what keeps the files from making one catalogue.
    package private(set) var diagnostics: [Diagnostic] = []
    /// What could be read.
    package private(set) var files: [StoreKitConfiguration] = []
    /// Including those beyond the limit of what is listed.
    package private(set) var errorCount = 0
    package private(set) var warningCount = 0
    /// How many files were to be read, content manifests too.
    package private(set) var fileCount = 0

    /// Reads the files, each with the content manifest beside it; blocks while the disk does.
    ///
    /// - Parameter paths: Of `.storekit` files, or of content manifests, which stand for the file that they belong to.
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

    /// How many products of a type the files without an error have.
    package func productCount(of type: ProductType) -> Int {
        files.reduce(0) { $0 + $1.products.count { $0.type == type } }
    }

    /// How many pieces of content the products of the files without an error have.
    package var contentCount: Int {
        files.reduce(0) { $0 + $1.contentCount }
    }

    /// Enters an error.
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
