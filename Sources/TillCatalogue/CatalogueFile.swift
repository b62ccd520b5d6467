import Glibc
import TillModel

/// Reads a file's bytes, and only a regular file's: a pipe or a device could keep the reader waiting for ever.
enum CatalogueFile {
    /// Why a file gives no bytes.
    struct Failure: Error {
        var code: TillError.Code
        /// One clause, without the path.
        var reason: String

        init(_ code: TillError.Code, _ reason: String) {
            self.code = code
            self.reason = reason
        }
    }

    static func bytes(path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened", errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.invalidArgument, "this is not a regular file")
        }
        return try contents(of: descriptor)
    }

    private static func contents(of descriptor: CInt) throws(Failure) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count != 0 else { return contents }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure("read", errno)
            }
            contents.append(contentsOf: buffer.prefix(count))
            guard contents.count <= CatalogueLimits.fileBytes else {
                let megabytes = CatalogueLimits.fileBytes / 1024 / 1024
                throw Failure(.invalidArgument, "the file is larger than \(megabytes) MiB")
            }
        }
    }

    private static func failure(_ step: String, _ number: CInt) -> Failure {
        let code: TillError.Code =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .permissionDenied
            default: .invalidArgument
            }
        return Failure(code, "the file cannot be \(step): \(unsafe String(cString: strerror(number)))")
    }
}
