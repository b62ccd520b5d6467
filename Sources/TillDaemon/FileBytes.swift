import Glibc
import TillModel

/// Reads an open file up to a limit.
enum FileBytes {
    /// The error of a failed read, with its `errno`.
    struct Failure: Error {
        var code: CInt
    }

    /// Reads all bytes from the current position; returns nil if there are more than `maximum`.
    static func read(_ descriptor: CInt, atMost maximum: Int) throws(Failure) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = retryingInterruptions { unsafe Glibc.read(descriptor, &buffer, buffer.count) }
            guard count >= 0 else {
                throw Failure(code: errno)
            }
            guard count > 0 else {
                return bytes
            }
            bytes += buffer.prefix(count)
            guard bytes.count <= maximum else {
                return nil
            }
        }
    }
}
