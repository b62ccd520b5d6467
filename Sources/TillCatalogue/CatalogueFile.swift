import Glibc
import TillModel

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
