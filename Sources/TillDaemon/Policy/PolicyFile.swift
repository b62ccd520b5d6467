import Glibc
import TillModel
import TillService

/// The policy file with the access rules, which only root or the daemon's user may own and change.
enum PolicyFile {
    /// Returns the rules in the file.
    ///
    /// - Throws: `invalidArgument` that names the file, the line or the key, and the remedy.
    static func rules(path: String, names: SystemNames = .database) throws(TillError) -> [AccessRule] {
        let reader = PolicyReader(path: path, names: names)
        return try reader.rules(in: bytes(of: path))
    }

    private static func bytes(of path: String) throws(TillError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw TillError(
                .invalidArgument,
                "Cannot open the policy file \(path), which must not be a link: \(reason)."
            )
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TillError(.invalidArgument, "The policy file \(path) is not a regular file.")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw TillError(
                .invalidArgument,
                "The policy file \(path) belongs to user \(status.st_uid), who is neither root nor the daemon's; run: chown \(geteuid()) \(path)"
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw TillError(
                .invalidArgument,
                "Users other than its owner may change the policy file \(path); run: chmod go-w \(path)"
            )
        }
        return try contents(of: descriptor, path)
    }

    private static func contents(of descriptor: CInt, _ path: String) throws(TillError) -> [UInt8] {
        let bytes: [UInt8]?
        do {
            bytes = try FileBytes.read(descriptor, atMost: PolicyLimits.fileBytes)
        } catch {
            let reason = unsafe String(cString: strerror(error.code))
            throw TillError(.invalidArgument, "Cannot read the policy file \(path): \(reason).")
        }
        guard let bytes else {
            throw TillError(
                .invalidArgument,
                "The policy file \(path) is larger than \(PolicyLimits.fileBytes / 1024) KiB."
            )
        }
        return bytes
    }
}

/// The limits of a policy file.
enum PolicyLimits {
    /// The maximum size of the file.
    static let fileBytes = 256 * 1024
    static let rules = 256
    /// The maximum number of elements in one list of a rule.
    static let elements = 256
    /// The maximum length of a system service's name (systemd.unit(5)).
    static let unitBytes = 255
}
