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

    /// Reads the files; blocks while the disk does.
    package init(files paths: [String]) {
        for path in paths {
            check(path)
        }
        let conflicts = StoreKitCatalogue.conflicts(files)
        diagnostics += conflicts
        errorCount += conflicts.count
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

    private mutating func check(_ path: String) {
        let bytes: [UInt8]
        do {
            bytes = try CatalogueFile.bytes(path: path)
        } catch {
            errorCount += 1
            diagnostics.append(Diagnostic(.error, file: path, error.reason))
            return
        }
        let (configuration, findings) = ConfigurationReader.read(bytes, fileName: path)
        diagnostics += findings.diagnostics
        errorCount += findings.errorCount
        warningCount += findings.warningCount
        if let configuration { files.append(configuration) }
    }
}
