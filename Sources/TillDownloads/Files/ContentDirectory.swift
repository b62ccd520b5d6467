import Glibc
import TillModel

/// The directory of all content.
///
/// `partial/` is the daemon's workshop: of each download the bytes that are here (`ID.part`), what they are a part of
/// (`ID.origin`), and the directory that becomes visible when it is whole (`ID.new`). In `accounts/` each account has a
/// directory that only it can enter: `ACCOUNT/APPLICATION/ID/CONTENT`, where everything has modes for everybody.
/// `content.owner` says whose all of it is.
struct ContentDirectory: Sendable {
    /// Of `ID`, where applications' content lies: others may pass and read, as the account's directory is the gate.
    static let openMode: mode_t = 0o755
    /// Others may pass through, and see nothing.
    static let passingMode: mode_t = 0o711

    let path: String
    let root: Directory
    let partial: Directory
    let accounts: Directory
    /// The part of the file system that stays free.
    let freeSpaceFloor: Double

    /// - Throws: `TillError` of code `failedPrecondition` that says what is wrong with the directory.
    init(path: String, freeSpaceFloor: Double) throws(TillError) {
        self.path = path
        self.freeSpaceFloor = freeSpaceFloor
        root = try Self.open(path)
        do {
            partial = try root.makeDirectory("partial", mode: 0o700)
            accounts = try root.makeDirectory("accounts", mode: Self.passingMode)
        } catch {
            throw Self.failure("\(path) cannot hold content: \((error as? DownloadError)?.message ?? "\(error)")")
        }
    }

    private static func open(_ path: String) throws(TillError) -> Directory {
        let isNew = unsafe mkdir(path, 0o700) == 0
        guard isNew || errno == EEXIST else {
            throw failure(DownloadError.system("Cannot make the content directory \(path)").message)
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
            throw failure("\(path) must belong to the daemon's user, and nobody else may write in it.")
        }
        return Directory(descriptor)
    }

    static func failure(_ message: String) -> TillError {
        TillError(.failedPrecondition, message)
    }
}

extension ContentDirectory {
    /// - Throws: `DownloadError` when less would be free than should be, once so many more bytes are here.
    func checkSpace(for bytes: Int64) throws {
        var status = statvfs()
        guard unsafe fstatvfs(root.descriptor.number, &status) == 0 else {
            throw DownloadError.system("Cannot tell how much of the disk is free")
        }
        let block = Double(status.f_frsize)
        let free = Double(status.f_bavail) * block - Double(bytes)
        guard free >= Double(status.f_blocks) * block * freeSpaceFloor, free >= 0 else {
            throw DownloadError(.noSpace, "The disk is nearly full; make room and start the download again.")
        }
    }

    /// The directory that only the account can enter, made if need be.
    func account(_ account: String, of user: uid_t?) throws -> Directory {
        guard let name = FileName.ofIdentifier(account), let user else {
            throw DownloadError(.storage, "Nobody knows which user of this machine the account \(account) is.")
        }
        guard user == geteuid() || (root.descriptor.status()?.st_mode ?? 0) & 0o001 != 0 else {
            throw DownloadError(.storage, "User \(user) cannot reach its content; run: chmod o+x \(path)")
        }
        let directory = try accounts.makeDirectory(name, mode: 0o700)
        try AccountAccess.grant(directory, to: user)
        return directory
    }
}
