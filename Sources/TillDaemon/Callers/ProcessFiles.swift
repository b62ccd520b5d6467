import Glibc

/// What `/proc` says of a process by its number (proc(5)). It may be another process's by now.
struct ProcessFiles {
    /// Longer than any of the kernel's texts that are read here.
    static let textMaximumBytes = 64 * 1024

    enum Failure: Error, Hashable, CustomStringConvertible {
        case unreadable(String, errno: CInt)
        case tooLong(String)
        case notRegular(String)

        var description: String {
            switch self {
            case .unreadable(let name, let code): unsafe "\(name): \(String(cString: strerror(code)))"
            case .tooLong(let name): "\(name) is too long"
            case .notRegular(let name): "\(name) is not a regular file"
            }
        }

        /// Whether nothing of the process can be read, which a file of its own making is no reason for.
        var isAboutProcess: Bool {
            switch self {
            case .unreadable("cgroup", _), .unreadable("status", _): true
            default: false
            }
        }

        /// Whether it may pass: the daemon or the system is out of something, or could not read. The caller is refused
        /// either way, for a file of its own making may fail like that, too.
        var isPassing: Bool {
            guard case .unreadable(_, let code) = self else {
                return false
            }
            return SystemShortage.isPassing(code)
        }

        /// Whether the kernel does not let anybody without more rights look at the process's root (ptrace(2)).
        var isRootForbidden: Bool {
            self == .unreadable("root", errno: EACCES) || self == .unreadable("root", errno: EPERM)
        }
    }

    /// Whether there is a `/proc` at all.
    static var areThere: Bool {
        unsafe access("/proc/self/cgroup", R_OK) == 0
    }

    private let directory: String

    init(processID: Int32) {
        directory = "/proc/\(processID)"
    }

    func controlGroups() throws(Failure) -> ControlGroups {
        ControlGroups(try text("cgroup"))
    }

    /// The real, effective, saved and file system user.
    func users() throws(Failure) -> [UInt32] {
        let line = try text("status").split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return (line ?? "").split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
    }

    /// A file at the top of what the process sees as its root; nil if there is none.
    ///
    /// Opened through the root's own descriptor: a path that begins with the process's number could lead to another's.
    func textAtRoot(_ name: String) throws(Failure) -> String? {
        let root = unsafe open("\(directory)/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else {
            throw .unreadable("root", errno: errno)
        }
        defer { close(root) }
        let descriptor = unsafe openat(root, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else {
                throw .unreadable(name, errno: errno)
            }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .notRegular(name)
        }
        return try Self.text(of: descriptor, name)
    }

    private func text(_ name: String) throws(Failure) -> String {
        let descriptor = unsafe open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .unreadable(name, errno: errno)
        }
        defer { close(descriptor) }
        return try Self.text(of: descriptor, name)
    }

    private static func text(of descriptor: CInt, _ name: String) throws(Failure) -> String {
        let bytes: [UInt8]?
        do {
            bytes = try FileBytes.read(descriptor, atMost: textMaximumBytes)
        } catch {
            throw .unreadable(name, errno: error.code)
        }
        guard let bytes else {
            throw .tooLong(name)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
