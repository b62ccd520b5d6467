import FoundationEssentials
import TillModel

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
