import Glibc
import Synchronization
import TillModel

/// An open file of the daemon, and the name under which the next start will look for it.
///
/// If an open file is removed or replaced, writes still succeed, but the data is lost with the last descriptor. Only the
/// name shows this.
package final class WatchedFile: Sendable {
    /// The error of a name that leads to no file or to another file.
    package struct Gone: Error, CustomStringConvertible {
        var subject: String
        var path: String

        package var description: String {
            """
            \(subject) \(path) was removed or replaced while the daemon used it. Put it back, or restore the state \
            directory from a backup, and start the daemon again.
            """
        }
    }

    /// The errors that prove that the file is gone. Other errors prove nothing.
    private static let missing: Set<CInt> = [ENOENT, ENOTDIR, ELOOP]

    private let path: String
    private let subject: String
    private let device: dev_t
    private let inode: ino_t
    private let isReleased = Atomic(false)

    /// Records the file to which the path leads. Call it when the file is open.
    ///
    /// - Parameter subject: The kind of file, as the subject of a sentence.
    init(_ path: String, _ subject: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw .systemCall("Cannot examine \(path)")
        }
        self.path = path
        self.subject = subject
        device = status.st_dev
        inode = status.st_ino
    }

    /// Ends the watch, because the daemon itself may now remove the name.
    func release() {
        isReleased.store(true, ordering: .sequentiallyConsistent)
    }

    /// Checks that the name still leads to the file.
    func check() throws(Gone) {
        var status = stat()
        let isThere: Bool
        if unsafe lstat(path, &status) == 0 {
            isThere = status.st_dev == device && status.st_ino == inode
        } else {
            isThere = !Self.missing.contains(errno)
        }
        // Read the flag after the check, because the daemon may have removed the name in between.
        guard isThere || isReleased.load(ordering: .sequentiallyConsistent) else {
            throw Gone(subject: subject, path: path)
        }
    }
}
