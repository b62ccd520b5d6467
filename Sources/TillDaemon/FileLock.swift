import Glibc
package import TillModel

/// A lock file that is held while the process lives, so that a second daemon does not start.
///
/// The kernel releases the lock when the process ends, even after a crash.
package final class FileLock: Sendable {
    private let descriptor: CInt

    /// - Parameter remedy: The advice if another process holds the lock.
    /// - Throws: `failedPrecondition` that names the process that holds the lock.
    package init(
        path: String,
        protecting subject: String,
        remedy: String = "stop that daemon first"
    ) throws(TillError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .systemCall("Cannot open the lock file \(path)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            defer { Glibc.close(descriptor) }
            guard code == EWOULDBLOCK else {
                throw .systemCall("Cannot lock \(path)", errno: code)
            }
            let holder = Self.processID(in: descriptor).map { "process \($0)" } ?? "another process"
            throw TillError(.failedPrecondition, "\(subject) is in use by \(holder); \(remedy).")
        }
        self.descriptor = descriptor
        Self.write(processID: getpid(), to: descriptor)
    }

    deinit {
        Glibc.close(descriptor)
    }

    private static func processID(in descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else {
            return nil
        }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    /// Writes the process id for people and for the error above; nothing depends on it.
    private static func write(processID: Int32, to descriptor: CInt) {
        let bytes = Array("\(processID)\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
}
