import Glibc
import TillModel

/// Reads a file's bytes, and only a regular file's: a pipe or a device could keep the reader waiting for ever.
enum CatalogueFile {
    static func bytes(path: String) throws(TillError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, "cannot be opened", errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TillError(.invalidArgument, "\(path): this is not a regular file.")
        }
        return try contents(of: descriptor, path: path)
    }

    private static func contents(of descriptor: CInt, path: String) throws(TillError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count != 0 else { return contents }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure(path, "cannot be read", errno)
            }
            contents.append(contentsOf: buffer.prefix(count))
            guard contents.count <= CatalogueLimits.fileBytes else {
                throw TillError(
                    .invalidArgument,
                    "\(path): the file is larger than \(CatalogueLimits.fileBytes / 1024 / 1024) MiB."
                )
            }
        }
    }

    private static func failure(_ path: String, _ problem: String, _ code: CInt) -> TillError {
        let errorCode: TillError.Code =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .permissionDenied
            default: .invalidArgument
            }
        return TillError(errorCode, "\(path): the file \(problem): \(unsafe String(cString: strerror(code))).")
    }
}
