import Glibc
package import TillModel

/// Holds a lock file for as long as the process lives, so that a second daemon refuses to start.
///
/// The kernel lets go of it when the process ends, however it ends.
package final class FileLock: Sendable {
    private let descriptor: CInt

    /// - Parameter remedy: What to do when somebody else holds it.
    /// - Throws: `failedPrecondition` that names the holder's process, when there is one.
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

    /// For people and for the message above; nothing depends on it.
    private static func write(processID: Int32, to descriptor: CInt) {
        let bytes = Array("\(processID)\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
}
