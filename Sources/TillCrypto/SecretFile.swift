package import Glibc
package import TillModel

/// Reads secrets from regular files that no other user can read; symbolic links are refused.
package enum SecretFile {
    /// The allowed owner of a file, and its allowed readers.
    package enum Keeper: Sendable {
        /// Only the process's user.
        case owner
        /// The system's service manager, in a service's credentials directory (systemd.exec(5)): owned by root or the
        /// user. There, the group's read permission represents the access list entry for the service's user.
        case serviceManager
    }

    /// Reads a secret; nil if the file does not exist.
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
                throw failure("Cannot open \(path), which must be a file and not a link")
            }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw failure("Cannot examine \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TillError(.failedPrecondition, "\(path) is not a regular file; replace it with a regular file.")
        }
        try check(status, path, keptBy: keeper, command: "chmod 600")
        return try contents(of: descriptor, path, atMost: maximum)
    }

    /// Checks that a file or directory belongs to its keeper and is inaccessible to others.
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
                "\(path) belongs to user \(status.st_uid), but the process runs as user \(geteuid()); run: chown \(geteuid()) \(path)"
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
        // Allocated at full size, so that growing it does not leave copies in memory.
        var bytes = [UInt8](repeating: 0, count: maximum + 1)
        let filled = unsafe fill(&bytes) { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard let count = filled else {
            let code = errno
            unsafe bytes.withUnsafeMutableBytes { unsafe Secret.wipe($0) }
            throw failure("Cannot read \(path)", errno: code)
        }
        guard count <= maximum else {
            unsafe bytes.withUnsafeMutableBytes { unsafe Secret.wipe($0) }
            throw TillError(.failedPrecondition, "\(path) exceeds the limit of \(maximum / 1024) KiB.")
        }
        return Secret(moving: &bytes, count: count)
    }

    /// Fills the array in place, because a slice would be a copy.
    ///
    /// - Parameter read: Reads like read(2), continuing at the current position.
    /// - Returns: The number of bytes read, at most the array's size; nil if reading failed.
    package static func fill(_ bytes: inout [UInt8], by read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
        unsafe bytes.withUnsafeMutableBytes { all in
            var count = 0
            while count < all.count {
                let more = retryingInterruptions { unsafe read(UnsafeMutableRawBufferPointer(rebasing: all[count...])) }
                guard more >= 0 else {
                    return nil
                }
                guard more > 0 else {
                    break
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

/// A key or a token: bytes in dedicated memory, overwritten when the last reference is released.
///
/// They are never printed. ``withText(_:)`` creates a copy that is not overwritten, so use it briefly.
@safe
package final class Secret: Redacted, Sendable {
    // Written only in init, before the object is shared; then only read; deallocated with the last reference.
    private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<UInt8>

    /// Takes the first `count` bytes, or all, and overwrites the source.
    package init(moving bytes: inout [UInt8], count: Int? = nil) {
        let taken = bytes.prefix(count ?? bytes.count)
        unsafe memory = .allocate(capacity: taken.count)
        _ = unsafe memory.initialize(from: taken)
        unsafe bytes.withUnsafeMutableBytes { unsafe Self.wipe($0) }
        bytes = []
    }

    deinit {
        unsafe Self.wipe(UnsafeMutableRawBufferPointer(memory))
        unsafe memory.deallocate()
    }

    package var count: Int {
        unsafe memory.count
    }

    /// The bytes as UTF-8.
    package func withText<Value, Failure: Error>(_ body: (String) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe String(decoding: memory, as: UTF8.self))
    }

    /// The bytes, as long as the body runs.
    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        unsafe body(UnsafeBufferPointer(memory))
    }

    /// The lines, without their newlines and without empty ones, each in memory of its own.
    package var lines: [Secret] {
        unsafe memory.split(separator: UInt8(ascii: "\n")).map { line in
            var bytes = unsafe Array(line)
            return Secret(moving: &bytes)
        }
    }

    /// Overwrites the bytes. The compiler does not optimise this away, unlike an assignment to memory that is then
    /// deallocated.
    package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress {
            unsafe explicit_bzero(start, bytes.count)
        }
    }
}
