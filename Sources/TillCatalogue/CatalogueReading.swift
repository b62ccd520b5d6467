import TillModel

/// The result of reading a `.storekit` file and its content manifest.
struct CatalogueReading {
    /// Nil if and only if one of the two has an error.
    private(set) var configuration: StoreKitConfiguration?
    /// The findings in the file, and in its manifest if there is one.
    private(set) var findings: [Findings]

    /// - Parameter needsManifest: Whether a missing manifest is an error.
    /// - Throws: The error of an unreadable `.storekit` file; an unreadable manifest is a finding.
    init(path: String, needsManifest: Bool = false) throws(CatalogueFile.Failure) {
        self.init(bytes: try CatalogueFile.bytes(path: path), fileName: path)
        addManifest(at: ManifestPath.manifest(of: path), isNeeded: needsManifest)
    }

    init(bytes: [UInt8], fileName: String) {
        let (configuration, findings) = ConfigurationReader.read(bytes, fileName: fileName)
        self.configuration = configuration
        self.findings = [findings]
    }

    /// The first error, for the caller; nil without errors.
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
    /// The configuration with the content of its products.
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
