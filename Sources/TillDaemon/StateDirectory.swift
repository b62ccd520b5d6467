import Foundation
import Glibc
import TillCrypto
import TillEngine
package import TillModel
import TillProviders

/// The directory of all durable data. It belongs to the daemon's user, and no other user can open it.
package struct StateDirectory: Sendable {
    /// The network file systems, on which locks and flushes are unreliable.
    private static let networkFileSystems: Set<Substring> = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs"]

    package let path: String

    /// Creates the directory if it is missing, and checks it.
    ///
    /// - Throws: `failedPrecondition` with the problem and its remedy.
    package init(path: String) throws(TillError) {
        self.path = path
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            try Self.makeParents(of: path)
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw .systemCall("Cannot create the state directory \(path)")
            }
        }
        let status = try Self.checkedStatus(of: path)
        try Self.checkFileSystem(of: status.st_dev, path)
        try checkNotRestoring()
    }

    /// Checks a directory that has a ledger. It creates nothing.
    ///
    /// - Throws: `notFound` without a ledger; otherwise as ``init(path:)``.
    package init(withLedgerAt path: String) throws(TillError) {
        self.path = path
        try checkNotRestoring()
        var status = stat()
        guard unsafe lstat(ledgerPath, &status) == 0 || errno != ENOENT && errno != ENOTDIR else {
            throw TillError(.notFound, "There is no ledger in \(path): name the state directory of a daemon.")
        }
        try Self.checkFileSystem(of: Self.checkedStatus(of: path).st_dev, path)
    }

    /// Checks a directory that exists, and whose ledger is elsewhere. It creates nothing.
    ///
    /// - Throws: `notFound` without the directory; otherwise as ``init(path:)``.
    init(existingAt path: String) throws(TillError) {
        self.path = path
        guard unsafe access(path, F_OK) == 0 else {
            throw TillError(.notFound, "There is no directory \(path): name the state directory of a daemon.")
        }
        try checkNotRestoring()
        try Self.checkFileSystem(of: Self.checkedStatus(of: path).st_dev, path)
    }

    package var ledgerPath: String {
        "\(path)/ledger.sqlite"
    }

    /// Whether there is a ledger in the directory.
    var hasLedger: Bool {
        unsafe access(ledgerPath, F_OK) == 0
    }

    /// The keys and certificates of receipts.
    package var receiptsPath: String {
        "\(path)/receipts"
    }

    /// The directory of hosted content if the configuration names no other directory.
    package var contentPath: String {
        "\(path)/content"
    }

    /// The root certificates of authorities before the present one, whose receipts the ledger has: a restored backup brings
    /// them.
    var formerRootsPath: String {
        "\(path)/former-roots.pem"
    }

    /// The temporary name of a copy of the ledger.
    var snapshotPath: String {
        "\(path)/ledger.sqlite.backup"
    }

    /// The files of a backup until they are complete. While it exists, the directory cannot be used.
    var restoringPath: String {
        "\(path)/restoring"
    }

    package var lockPath: String {
        "\(path)/lock"
    }

    /// The certificates of ``formerRootsPath``, in DER.
    func formerRoots() throws(TillError) -> [[UInt8]] {
        unsafe access(formerRootsPath, F_OK) == 0 ? try Self.certificates(path: formerRootsPath) : []
    }

    static func certificates(path: String) throws(TillError) -> [[UInt8]] {
        guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)),
            let bytes = try? FileBytes.read(file.fileDescriptor, atMost: PEM.fileMaximumBytes),
            let certificates = PEM.certificates(in: bytes), !certificates.isEmpty
        else {
            throw TillError(.invalidArgument, "\(path) cannot be read as a certificate in PEM or DER.")
        }
        return certificates
    }

    private func checkNotRestoring() throws(TillError) {
        guard unsafe access(restoringPath, F_OK) != 0 else {
            throw TillError(
                .failedPrecondition,
                "A restore of a backup into \(path) was interrupted: remove the directory, and restore the backup again."
            )
        }
    }

    /// Returns the directory and the daemon's open files in it. The ledger and the provider's record must be open.
    ///
    /// - Parameter isSimulated: Whether the provider is the simulated one, which keeps its record here unless hosts share the ledger.
    func openFiles(of ledger: OpenLedger, isSimulated: Bool) throws(TillError) -> [WatchedFile] {
        var files = [
            try WatchedFile(path, "The state directory"), try WatchedFile(lockPath, "The lock file"),
        ]
        if ledger.file != nil {
            files += [
                try WatchedFile(ledgerPath, "The ledger"),
                try WatchedFile("\(ledgerPath)-wal", "The ledger's log"),
                try WatchedFile("\(ledgerPath)-shm", "The index of the ledger's log"),
            ]
        }
        if isSimulated, !ledger.ledger.isShared {
            files.append(try WatchedFile("\(path)/\(SimulatedRecord.fileName)", "The provider's record"))
        }
        return files
    }

    private static func makeParents(of path: String) throws(TillError) {
        let parent = URL(filePath: path).deletingLastPathComponent().path
        guard unsafe mkdir(parent, 0o777) != 0, errno != EEXIST else {
            return
        }
        guard errno == ENOENT, parent != path, parent != "/" else {
            throw .systemCall("Cannot create the directory \(parent)")
        }
        try makeParents(of: parent)
        guard unsafe mkdir(parent, 0o777) == 0 || errno == EEXIST else {
            throw .systemCall("Cannot create the directory \(parent)")
        }
    }

    /// Returns the directory's status; throws if it does not belong to the daemon's user alone.
    private static func checkedStatus(of path: String) throws(TillError) -> stat {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw .systemCall("Cannot examine the state directory \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TillError(.failedPrecondition, "\(path) is not a directory: name the directory itself, not a link.")
        }
        guard status.st_uid == geteuid() else {
            throw TillError(
                .failedPrecondition,
                "\(path) belongs to user \(status.st_uid) and the daemon runs as user \(geteuid()): give it a directory of its own."
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            throw TillError(.failedPrecondition, "\(path) is open to other users; run: chmod 700 \(path)")
        }
        return status
    }

    private static func checkFileSystem(of device: dev_t, _ path: String) throws(TillError) {
        guard let type = fileSystemType(of: device), networkFileSystems.contains(type) else {
            return
        }
        throw TillError(
            .failedPrecondition,
            "\(path) is on a network file system (\(type)), where flushed data can be lost: use a local disk."
        )
    }

    /// Returns the type of the device's file system in the kernel's mount table (proc_pid_mountinfo(5)); nil if it is
    /// missing.
    private static func fileSystemType(of device: dev_t) -> Substring? {
        guard let table = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
            return nil
        }
        // The layout of a device number (makedev(3)).
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & ~0xFF
        let number = "\(major):\(minor)"
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[2] == number, let dash = fields.firstIndex(of: "-") else {
                continue
            }
            return fields[(dash + 1)...].first
        }
        return nil
    }
}
