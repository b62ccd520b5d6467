import Glibc

/// A process's files in `/proc`, by its number (proc(5)). The number may by now belong to another process.
struct ProcessFiles {
    /// The maximum length of a text, longer than any of the kernel's texts that are read here.
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

        /// Whether nothing of the process can be read, which a file that the process controls cannot cause.
        var isAboutProcess: Bool {
            switch self {
            case .unreadable("cgroup", _), .unreadable("status", _): true
            default: false
            }
        }

        /// Whether the failure may be temporary: the daemon or the system lacks a resource, or a read failed. The caller is
        /// refused in any case, because a file that it controls may fail in the same way.
        var isPassing: Bool {
            guard case .unreadable(_, let code) = self else {
                return false
            }
            return SystemShortage.isPassing(code)
        }

        /// Whether reading the process's root requires more rights (ptrace(2)).
        var isRootForbidden: Bool {
            self == .unreadable("root", errno: EACCES) || self == .unreadable("root", errno: EPERM)
        }
    }

    /// Whether `/proc` is mounted.
    static var areMounted: Bool {
        unsafe access("/proc/self/cgroup", R_OK) == 0
    }

    private let directory: String

    init(processID: Int32) {
        directory = "/proc/\(processID)"
    }

    func controlGroups() throws(Failure) -> ControlGroups {
        ControlGroups(try text("cgroup"))
    }

    /// Returns the real, effective, saved and file system user.
    func users() throws(Failure) -> [UInt32] {
        let line = try text("status").split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return (line ?? "").split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
    }

    /// Returns the text of a file in the process's root directory; nil if there is no such file.
    ///
    /// The file is opened relative to the root's descriptor: a path with the process's number could lead to another process.
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

/// A sandbox's `/.flatpak-info`, a key file that names the sandbox's application (flatpak-metadata(5)).
enum FlatpakInfo {
    /// The maximum size of the file.
    static let maximumBytes = 64 * 1024

    /// The application's name; nil unless there is exactly one.
    static func application(in text: String) -> String? {
        var section: Substring?
        var names: [Substring] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                section = line
            } else if section == "[Application]", line.hasPrefix("name=") {
                names.append(line.dropFirst("name=".count))
            }
        }
        return names.count == 1 ? names.first.map(String.init) : nil
    }
}
