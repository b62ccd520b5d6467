import FoundationEssentials
import Glibc
import TillModel

/// The directory of all downloaded content.
///
/// `partial/` contains unfinished downloads: the received bytes (`ID.part`), their origin (`ID.origin`), and the
/// directory that becomes visible when complete (`ID.new`). In `accounts/` each account has a directory that only it
/// can enter: `ACCOUNT/APPLICATION/ID/CONTENT`; the modes below it allow access for everybody. `content.owner` records
/// the ledger that owns the directory.
struct ContentDirectory: Sendable {
    /// The mode of content directories: readable by everybody, because the account's directory restricts access.
    static let openMode: mode_t = 0o755
    /// The mode of directories that others may traverse but not list.
    static let passingMode: mode_t = 0o711

    let path: String
    let root: Directory
    let partial: Directory
    let accounts: Directory
    /// The fraction of the file system that must stay free.
    let freeSpaceFloor: Double

    /// - Throws: `failedPrecondition` with the problem of the directory.
    init(path: String, freeSpaceFloor: Double) throws(TillError) {
        self.path = path
        self.freeSpaceFloor = freeSpaceFloor
        root = try Self.open(path)
        do {
            partial = try root.makeDirectory("partial", mode: 0o700)
            accounts = try root.makeDirectory("accounts", mode: Self.passingMode)
        } catch {
            throw Self.failure(
                "\(path) cannot be used for content: \((error as? DownloadError)?.message ?? "\(error)")"
            )
        }
    }

    private static func open(_ path: String) throws(TillError) -> Directory {
        let isNew = unsafe mkdir(path, 0o700) == 0
        guard isNew || errno == EEXIST else {
            throw failure(DownloadError.system("Cannot create the content directory \(path)").message)
        }
        let number = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            throw failure(DownloadError.system("Cannot open the content directory \(path)").message)
        }
        let descriptor = Descriptor(owning: number)
        if isNew {
            fchmod(number, passingMode)
        }
        guard let status = descriptor.status(), status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw failure("\(path) must belong to the daemon's user and must not be writable by others.")
        }
        return Directory(descriptor)
    }

    static func failure(_ message: String) -> TillError {
        TillError(.failedPrecondition, message)
    }
}

extension ContentDirectory {
    /// - Throws: `DownloadError` if too little space would be free after writing this many bytes.
    func checkSpace(for bytes: Int64) throws {
        var status = statvfs()
        guard unsafe fstatvfs(root.descriptor.number, &status) == 0 else {
            throw DownloadError.system("Cannot determine the free disk space")
        }
        let block = Double(status.f_frsize)
        let free = Double(status.f_bavail) * block - Double(bytes)
        guard free >= Double(status.f_blocks) * block * freeSpaceFloor, free >= 0 else {
            throw DownloadError(.noSpace, "The disk is nearly full; free some space and start the download again.")
        }
    }

    /// The account's directory, which only the account can enter; created if necessary.
    func account(_ account: String, of user: uid_t?) throws -> Directory {
        guard let name = FileName.ofIdentifier(account), let user else {
            throw DownloadError(.storage, "The user of the account \(account) is unknown on this machine.")
        }
        guard user == geteuid() || (root.descriptor.status()?.st_mode ?? 0) & 0o001 != 0 else {
            throw DownloadError(.storage, "User \(user) cannot access its content; run: chmod o+x \(path)")
        }
        let directory = try accounts.makeDirectory(name, mode: 0o700)
        try AccountAccess.grant(directory, to: user)
        return directory
    }
}

extension ContentDirectory {
    private static let ownerName = "content.owner"
    /// Larger than any owner file that is written.
    private static let ownerBytesMaximum = 64

    /// Records that the directory belongs to the ledger, unless it is recorded already. Directories of earlier versions
    /// have no record.
    ///
    /// - Throws: `failedPrecondition` if it belongs to another ledger.
    func claim(for ledger: UUID) throws(TillError) {
        let text = "\(ledger.text)\n"
        guard !root.lacks(Self.ownerName) else {
            return try writeOwner(text)
        }
        guard let owner = root.file(Self.ownerName)?.text(atMost: Self.ownerBytesMaximum) else {
            throw Self.failure(
                "\(path)/\(Self.ownerName) cannot be read, but it records which ledger owns the directory."
            )
        }
        guard owner == text else {
            throw Self.failure(
                "\(path) contains the content of another ledger; use another directory with --content, or remove this one if no daemon needs it."
            )
        }
    }

    /// Writes the owner file atomically, even if the machine crashes.
    private func writeOwner(_ text: String) throws(TillError) {
        let draft = Self.ownerName + ".new"
        do {
            root.removeTree(draft)
            let file = try root.makeFile(draft, mode: 0o400)
            try file.write(text)
            try file.synchronize()
            try root.rename(draft, to: Self.ownerName, in: root)
            try root.synchronize()
        } catch {
            throw Self.failure("\(path) cannot be marked: \((error as? DownloadError)?.message ?? "\(error)")")
        }
    }
}
