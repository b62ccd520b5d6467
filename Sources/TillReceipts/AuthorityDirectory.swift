import Foundation
import Glibc
import TillModel
import TillSecrets

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
    /// Who made the files: the daemon or its operator, or the service manager, from whom they are only read.
    let keeper: SecretFile.Keeper

    /// A directory of a service's credentials; nil when it holds nothing of a chain.
    init?(credentials path: String) {
        self.path = path
        keeper = .serviceManager
        guard CertificateRole.allCases.contains(where: { unsafe access(self.path(of: $0), F_OK) == 0 }) else {
            return nil
        }
    }

    /// Makes the directory if it is not there, and checks it.
    init(path: String) throws(TillError) {
        self.path = path
        keeper = .owner
        if unsafe mkdir(path, Self.directoryMode) == 0 {
            try Self.flush(URL(filePath: path).deletingLastPathComponent().path)
        } else if errno != EEXIST {
            throw Self.failure("Cannot make the directory \(path)")
        }
        try Self.check(path)
        for role in CertificateRole.allCases {
            _ = unsafe unlink(self.path(of: role) + Self.draftSuffix)
        }
    }

    /// A directory that is only read, which there has to be.
    init(existing path: String) throws(TillError) {
        self.path = path
        keeper = .owner
        try Self.check(path)
    }

    private static func check(_ path: String) throws(TillError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw failure("Cannot look at the directory \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TillError(.failedPrecondition, "\(path) is not a directory; name the directory itself, not a link.")
        }
        try SecretFile.check(status, path, command: "chmod 700")
    }

    func path(of role: CertificateRole) -> String {
        "\(path)/\(keeper == .owner ? role.fileName : role.credentialName)"
    }

    /// What the place's file holds; nil when there is no file.
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

    private static func failure(_ what: String, errno code: CInt = errno) -> TillError {
        TillError(.failedPrecondition, "\(what): \(unsafe String(cString: strerror(code))).")
    }
}
