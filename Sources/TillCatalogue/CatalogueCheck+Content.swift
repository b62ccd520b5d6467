import FoundationEssentials
import TillModel

extension CatalogueCheck {
    /// How many bytes ``checkContent(_:)`` reads at most.
    package var contentBytes: Int64 {
        contents.reduce(0) { $0 + $1.source.content.length }
    }

    /// Holds the content that lies in files against what the manifests say of it, for files without an error; blocks
    /// while the disk does. What lies on other hosts is not fetched.
    ///
    /// - Parameter progress: Called with how much of ``contentBytes`` is done, now and then.
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
