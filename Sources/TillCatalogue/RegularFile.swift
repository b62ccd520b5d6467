import Glibc
import TillModel

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
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count < 0 else { return buffer.prefix(count) }
            guard errno == EINTR else { throw CatalogueFile.Failure("read", errno) }
        }
    }
}
