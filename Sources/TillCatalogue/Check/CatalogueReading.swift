import Glibc
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

/// Reads the bytes of a catalogue file.
enum CatalogueFile {
    /// The error of a file that cannot be read.
    struct Failure: Error {
        var code: TillError.Code
        /// One clause, without the path.
        var reason: String

        init(_ code: TillError.Code, _ reason: String) {
            self.code = code
            self.reason = reason
        }

        /// Creates the failure of a system call, with the failed step and the error number.
        init(_ step: String, _ number: CInt) {
            code =
                switch number {
                case ENOENT, ENOTDIR: .notFound
                case EACCES, EPERM: .permissionDenied
                default: .invalidArgument
                }
            reason = "the file cannot be \(step): \(unsafe String(cString: strerror(number)))"
        }
    }

    static func bytes(path: String) throws(Failure) -> [UInt8] {
        let file = try RegularFile(path: path)
        var contents: [UInt8] = []
        while case let chunk = try file.next(), !chunk.isEmpty {
            contents.append(contentsOf: chunk)
            guard contents.count <= CatalogueLimits.fileBytes else {
                let megabytes = CatalogueLimits.fileBytes / 1024 / 1024
                throw Failure(.invalidArgument, "the file is larger than \(megabytes) MiB")
            }
        }
        return contents
    }
}

/// An open regular file. Other files are refused, because reading a pipe or a device could block indefinitely.
struct RegularFile: ~Copyable {
    static let chunkBytes = 64 * 1024

    /// The size in bytes when the file was opened.
    let size: Int64
    private let descriptor: CInt

    init(path: String) throws(CatalogueFile.Failure) {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CatalogueFile.Failure("opened", errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw CatalogueFile.Failure("examined", number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CatalogueFile.Failure(.invalidArgument, "this is not a regular file")
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next bytes, at most `chunkBytes`; empty at the end.
    func next() throws(CatalogueFile.Failure) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            retryingInterruptions { unsafe read(descriptor, bytes.baseAddress, bytes.count) }
        }
        guard count >= 0 else { throw CatalogueFile.Failure("read", errno) }
        return buffer.prefix(count)
    }
}
