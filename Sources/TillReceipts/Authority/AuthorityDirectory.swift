import Foundation
import Glibc
import TillCrypto
import TillModel

/// The directory of keys and certificates: one PEM file per role in the chain, inaccessible to other users.
///
/// A file contains a certificate with its key, so that neither exists without the other. A file gets its name only
/// after it is completely written and flushed.
struct AuthorityDirectory: Sendable {
    private static let directoryMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600
    private static let draftSuffix = ".new"
    /// The maximum size of a file.
    static let fileMaximumBytes = 64 * 1024

    let path: String
    /// The owner of the files: the daemon or its operator, or the service manager, whose files are only read.
    let keeper: SecretFile.Keeper

    /// A service's credentials directory; nil if it contains no certificate of a chain.
    init?(credentials path: String) {
        self.path = path
        keeper = .serviceManager
        guard CertificateRole.allCases.contains(where: { unsafe access(self.path(of: $0), F_OK) == 0 }) else {
            return nil
        }
    }

    /// Creates the directory if it does not exist, and checks it.
    init(path: String) throws(TillError) {
        self.path = path
        keeper = .owner
        if unsafe mkdir(path, Self.directoryMode) == 0 {
            try Self.flush(URL(filePath: path).deletingLastPathComponent().path)
        } else if errno != EEXIST {
            throw Self.failure("Cannot create the directory \(path)")
        }
        try Self.check(path)
        for role in CertificateRole.allCases {
            _ = unsafe unlink(self.path(of: role) + Self.draftSuffix)
        }
    }

    /// Opens an existing directory for reading only.
    init(existing path: String) throws(TillError) {
        self.path = path
        keeper = .owner
        try Self.check(path)
    }

    private static func check(_ path: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw failure("Cannot examine the directory \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TillError(
                .failedPrecondition,
                "\(path) is not a directory; specify the directory itself, not a link."
            )
        }
        try SecretFile.check(status, path, command: "chmod 700")
    }

    func path(of role: CertificateRole) -> String {
        "\(path)/\(keeper == .owner ? role.fileName : role.credentialName)"
    }

    /// Reads a role's file; nil if it does not exist.
    func read(_ role: CertificateRole) throws(TillError) -> KeyedCertificate? {
        let file = path(of: role)
        guard let secret = try SecretFile.read(file, keptBy: keeper, atMost: Self.fileMaximumBytes) else {
            return nil
        }
        do throws(KeyedCertificate.Fault) {
            return try secret.withText(KeyedCertificate.init(pem:))
        } catch {
            throw TillError(
                .failedPrecondition,
                "\(file) \(error.reason); restore it, or move \(path) away to create a new chain."
            )
        }
    }

    /// The files that exist, as they are.
    func files() throws(TillError) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for role in CertificateRole.allCases {
            let secret = try SecretFile.read(path(of: role), keptBy: keeper, atMost: Self.fileMaximumBytes)
            if let secret {
                files.append((role.fileName, secret.withText { Array($0.utf8) }))
            }
        }
        return files
    }

    /// Writes a certificate and its key to the role's file, durably and atomically: after a crash the file has either
    /// the old or the new contents.
    func write(_ keyed: KeyedCertificate, as role: CertificateRole) throws {
        let bytes = Array(try keyed.pem().utf8)
        let draft = path(of: role) + Self.draftSuffix
        _ = unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, Self.fileMode)
        guard descriptor >= 0 else {
            throw Self.failure("Cannot create \(draft)")
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
            let count = retryingInterruptions { unsafe Glibc.write(descriptor, Array(rest), rest.count) }
            guard count > 0 else {
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

    private static func failure(_ what: String, errno code: CInt = errno) -> TillError {
        TillError(.failedPrecondition, "\(what): \(unsafe String(cString: strerror(code))).")
    }
}
