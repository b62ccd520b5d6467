import Glibc
import TillModel

/// An open regular file: a pipe or a device could keep the reader waiting for ever.
struct RegularFile: ~Copyable {
    static let chunkBytes = 64 * 1024

    /// In bytes, when it was opened.
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

    /// What comes next, at most `chunkBytes`; nothing at the end.
    func next() throws(CatalogueFile.Failure) -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count < 0 else { return buffer.prefix(count) }
            guard errno == EINTR else { throw CatalogueFile.Failure("read", errno) }
        }
    }
}
