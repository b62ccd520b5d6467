import Glibc
import Synchronization
import TillModel

/// A file that the daemon has open, and the name by which the next start will look for it.
///
/// Removing or replacing an open file fails nothing: writes still succeed, and everything written is gone with the
/// last descriptor. Only the name shows it.
package final class WatchedFile: Sendable {
    /// The name leads to no file, or to another one.
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

    /// What proves that the file is no longer there; any other error says nothing about it.
    private static let missing: Set<CInt> = [ENOENT, ENOTDIR, ELOOP]

    private let path: String
    private let subject: String
    private let device: dev_t
    private let inode: ino_t
    private let isReleased = Atomic(false)

    /// Notes which file the path leads to, to be called when it is open.
    ///
    /// - Parameter subject: What the file is, at the beginning of a sentence.
    init(_ path: String, _ subject: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw .systemCall("Cannot look at \(path)")
        }
        self.path = path
        self.subject = subject
        device = status.st_dev
        inode = status.st_ino
    }

    /// Ends the watch: from now on the daemon itself may remove the name.
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
        // Read after the look, for the name may have been taken away in between.
        guard isThere || isReleased.load(ordering: .sequentiallyConsistent) else {
            throw Gone(subject: subject, path: path)
        }
    }
}
