import Foundation
import Glibc
import TillModel

/// The directory of the keys and certificates: one PEM file for each place of the chain, closed to other users.
///
/// A file holds a certificate together with its key, so that neither is ever there without the other; it gets its name
/// only once it is whole and on the disk.
struct AuthorityDirectory: Sendable {
    private static let directoryMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600
    private static let draftSuffix = ".new"
    /// The largest file that is read.
    static let fileMaximumBytes = 64 * 1024

    let path: String

    /// Makes the directory if it is not there, and checks it.
    init(path: String) throws(TillError) {
        self.path = path
        if unsafe mkdir(path, Self.directoryMode) == 0 {
            try Self.flush(URL(filePath: path).deletingLastPathComponent().path)
        } else if errno != EEXIST {
            throw Self.failure("Cannot make the directory \(path)")
        }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw Self.failure("Cannot look at the directory \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TillError(.failedPrecondition, "\(path) is not a directory; name the directory itself, not a link.")
        }
        try Self.check(status, path, command: "chmod 700")
        for role in CertificateRole.allCases {
            _ = unsafe unlink(self.path(of: role) + Self.draftSuffix)
        }
    }

    func path(of role: CertificateRole) -> String {
        "\(path)/\(role.fileName)"
    }

    /// What the place's file holds; nil when there is no file.
    func read(_ role: CertificateRole) throws(TillError) -> KeyedCertificate? {
        let file = path(of: role)
        guard let bytes = try bytes(of: file) else {
            return nil
        }
        do {
            return try KeyedCertificate(pem: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw TillError(
                .failedPrecondition,
                "\(file) \(error.reason); restore it, or move all of \(path) away to start anew."
            )
        }
    }

    /// Puts the certificate and its key in the place's file, durably: after a crash there is what was before, or this.
    func write(_ keyed: KeyedCertificate, as role: CertificateRole) throws {
        let bytes = Array(try keyed.pem().utf8)
        let draft = path(of: role) + Self.draftSuffix
        _ = unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, Self.fileMode)
        guard descriptor >= 0 else {
            throw Self.failure("Cannot make \(draft)")
        }
        do {
            defer { close(descriptor) }
            try Self.write(bytes, to: descriptor, draft)
        }
        guard unsafe rename(draft, path(of: role)) == 0 else {
            throw Self.failure("Cannot rename \(draft)")
        }
        try Self.flush(path)
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, _ draft: String) throws(TillError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe Glibc.write(descriptor, Array(rest), rest.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw failure("Cannot write \(draft)")
            }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else {
            throw failure("Cannot flush \(draft)")
        }
    }

    private static func flush(_ directory: String) throws(TillError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure("Cannot open the directory \(directory)")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw failure("Cannot flush the directory \(directory)")
        }
    }
}

extension AuthorityDirectory {
    /// The bytes of a regular file that only its owner can read; nil when there is none.
    private func bytes(of file: String) throws(TillError) -> [UInt8]? {
        let descriptor = unsafe open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else {
                throw Self.failure("Cannot open \(file), which must be a file and no link")
            }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw Self.failure("Cannot look at \(file)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TillError(.failedPrecondition, "\(file) is not a regular file; put the certificate there itself.")
        }
        try Self.check(status, file, command: "chmod 600")
        return try Self.contents(of: descriptor, file)
    }

    private static func contents(of descriptor: CInt, _ file: String) throws(TillError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count != 0 else {
                return contents
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw failure("Cannot read \(file)")
            }
            contents += buffer.prefix(count)
            guard contents.count <= fileMaximumBytes else {
                throw TillError(
                    .failedPrecondition,
                    "\(file) is larger than \(fileMaximumBytes / 1024) KiB; it should hold a certificate and its key."
                )
            }
        }
    }

    /// Checks that a file or directory is the process's own and nobody else's.
    private static func check(_ status: stat, _ path: String, command: String) throws(TillError) {
        guard status.st_uid == geteuid() else {
            throw TillError(
                .failedPrecondition,
                "\(path) belongs to user \(status.st_uid) and not to \(geteuid()), who runs this; run: chown \(geteuid()) \(path)"
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            throw TillError(.failedPrecondition, "\(path) is open to other users; run: \(command) \(path)")
        }
    }

    private static func failure(_ what: String, errno code: CInt = errno) -> TillError {
        TillError(.failedPrecondition, "\(what): \(unsafe String(cString: strerror(code))).")
    }
}
