package import Glibc
package import TillModel

/// Reads secrets from files: regular ones, no links, that nobody else can read.
package enum SecretFile {
    /// Who may have made a file, and who may read it.
    package enum Keeper: Sendable {
        /// The process's own user, alone.
        case owner
        /// The system's service manager, in the directory of a service's credentials (systemd.exec(5)): root's, or the
        /// user's own. What looks like the group's right to read is there the access list for the service's user.
        case serviceManager
    }

    /// What the file holds; nil when there is none.
    ///
    /// - Throws: `failedPrecondition` that names the file and says what to do.
    package static func read(
        _ path: String,
        keptBy keeper: Keeper = .owner,
        atMost maximum: Int
    ) throws(TillError) -> Secret? {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else {
                throw failure("Cannot open \(path), which must be a file and no link")
            }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw failure("Cannot look at \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TillError(.failedPrecondition, "\(path) is not a regular file; put its content there itself.")
        }
        try check(status, path, keptBy: keeper, command: "chmod 600")
        return try contents(of: descriptor, path, atMost: maximum)
    }

    /// Checks that a file or directory is its keeper's and nobody else's.
    package static func check(
        _ status: stat,
        _ path: String,
        keptBy keeper: Keeper = .owner,
        command: String
    ) throws(TillError) {
        let isKeepers = status.st_uid == geteuid() || (keeper == .serviceManager && status.st_uid == 0)
        guard isKeepers else {
            throw TillError(
                .failedPrecondition,
                "\(path) belongs to user \(status.st_uid) and not to \(geteuid()), who runs this; run: chown \(geteuid()) \(path)"
            )
        }
        guard status.st_mode & (keeper == .owner ? 0o077 : 0o037) == 0 else {
            throw TillError(.failedPrecondition, "\(path) is open to other users; run: \(command) \(path)")
        }
    }

    private static func contents(
        of descriptor: CInt,
        _ path: String,
        atMost maximum: Int
    ) throws(TillError) -> Secret {
        // One piece, so that no copy is left behind when it grows.
        var bytes = [UInt8](repeating: 0, count: maximum + 1)
        let filled = unsafe fill(&bytes) { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard let count = filled else {
            let code = errno
            unsafe bytes.withUnsafeMutableBytes { unsafe Secret.wipe($0) }
            throw failure("Cannot read \(path)", errno: code)
        }
        guard count <= maximum else {
            unsafe bytes.withUnsafeMutableBytes { unsafe Secret.wipe($0) }
            throw TillError(.failedPrecondition, "\(path) is larger than \(maximum / 1024) KiB, which no such file is.")
        }
        return Secret(moving: &bytes, count: count)
    }

    /// Fills the bytes where they are, and not a slice of them, which would be a copy.
    ///
    /// - Parameter read: As read(2), from where the last one ended.
    /// - Returns: How many there were, at most as many as there is room for; nil when reading failed.
    package static func fill(_ bytes: inout [UInt8], by read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
        unsafe bytes.withUnsafeMutableBytes { all in
            var count = 0
            while count < all.count {
                let more = unsafe read(UnsafeMutableRawBufferPointer(rebasing: all[count...]))
                guard more != 0 else {
                    break
                }
                guard more > 0 else {
                    if errno == EINTR { continue }
                    return nil
                }
                count += more
            }
            return count
        }
    }

    private static func failure(_ what: String, errno code: CInt = errno) -> TillError {
        TillError(.failedPrecondition, "\(what): \(unsafe String(cString: strerror(code))).")
    }
}
