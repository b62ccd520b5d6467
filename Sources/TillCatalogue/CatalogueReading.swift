import TillModel

/// A `.storekit` file and the content manifest beside it, as far as they can be read.
struct CatalogueReading {
    /// Nil exactly when one of the two has an error.
    private(set) var configuration: StoreKitConfiguration?
    /// What was found in the file, and in its manifest when there is one.
    private(set) var findings: [Findings]

    /// - Parameter needsManifest: Whether it is an error when there is none.
    /// - Throws: Why the `.storekit` file gives no bytes; that of the manifest is a finding.
    init(path: String, needsManifest: Bool = false) throws(CatalogueFile.Failure) {
        self.init(bytes: try CatalogueFile.bytes(path: path), fileName: path)
        addManifest(at: ManifestPath.manifest(of: path), isNeeded: needsManifest)
    }

    init(bytes: [UInt8], fileName: String) {
        let (configuration, findings) = ConfigurationReader.read(bytes, fileName: fileName)
        self.configuration = configuration
        self.findings = [findings]
    }

    /// The first error as what a caller is told; nil without errors.
    var refusal: TillError? {
        findings.lazy.compactMap(\.refusal).first
    }

    private mutating func addManifest(at path: String, isNeeded: Bool) {
        let bytes: [UInt8]
        do {
            bytes = try CatalogueFile.bytes(path: path)
        } catch {
            if error.code == .notFound, !isNeeded { return }
            var unread = Findings(file: path)
            unread.error(error.reason)
            findings.append(unread)
            configuration = nil
            return
        }
        let (contents, found) = ManifestReader.read(bytes, path: path, for: configuration)
        findings.append(found)
        configuration = found.errorCount == 0 ? configuration?.with(contents, path: path, found) : nil
    }
}

extension StoreKitConfiguration {
    /// The same with what the store hosts for its products.
    fileprivate func with(_ contents: [String: [ContentSource]], path: String, _ found: Findings) -> Self {
        var configuration = self
        configuration.manifestName = path
        configuration.warnings += found.diagnostics
        configuration.products = products.map { product in
            var product = product
            product.contents = contents[product.id] ?? []
            return product
        }
        return configuration
    }
}
