import Glibc
import TillCrypto
import TillModel

/// Reads a backup from its beginning to its end, and believes nothing in it: every byte must be one that
/// ``BackupWriter`` could have written, and every member must have its checksum.
struct BackupReader {
    /// The bytes that are read at a time.
    private static let pieceBytes = 1 << 20

    let path: String
    private let descriptor: CInt
    private var remaining: UInt64
    private var date: UInt64?
    private var sums = ""

    /// - Throws: `invalidArgument` if the path does not lead to a regular file.
    init(path: String, _ file: borrowing BackupFile) throws(TillError) {
        self.path = path
        descriptor = file.descriptor
        remaining = file.byteCount
    }

    /// Reads all members, and passes the bytes of each on, in order.
    ///
    /// Nothing of it may be used before this returns, because only then is it certain that the backup is complete and
    /// unaltered.
    ///
    /// - Parameters:
    ///   - begin: Called before the bytes of a member other than the manifest and the checksums.
    ///   - write: Takes the next bytes of that member.
    mutating func read(
        begin: (BackupMember) throws -> Void,
        write: ([UInt8]) throws -> Void
    ) throws -> BackupManifest {
        let manifest = try readManifest()
        var expected = manifest.members.dropFirst()
        while let (member, byteCount) = try nextMember(&expected, manifest) {
            if member == .sums {
                try checkSums(try small(member, byteCount))
                break
            }
            try begin(member)
            try copy(member, byteCount, to: write)
        }
        guard try take(TarHeader.end.count) == TarHeader.end, remaining == 0 else {
            throw altered("it does not end where it should")
        }
        return manifest
    }

    private mutating func readManifest() throws(TillError) -> BackupManifest {
        guard remaining >= UInt64(TarHeader.blockBytes), let header = TarHeader(try take(TarHeader.blockBytes)),
            header.name == BackupMember.manifest.rawValue, header.byteCount <= BackupMember.smallMaximumBytes
        else {
            throw TillError(.invalidArgument, "\(path) is not a backup of Till: name a file that till backup wrote.")
        }
        date = header.date
        let bytes = try small(.manifest, header.byteCount)
        if let format = BackupManifest.format(bytes), format > BackupManifest.newestFormat {
            throw TillError(
                .invalidArgument,
                "\(path) has format \(format) of backups, made by a newer Till. Install the newer Till."
            )
        }
        guard let manifest = BackupManifest.decode(bytes) else {
            throw altered("its description cannot be read")
        }
        return manifest
    }

    /// The header of the next member: the next expected one, or a later one if those between may be missing.
    private mutating func nextMember(
        _ expected: inout ArraySlice<BackupMember>,
        _ manifest: BackupManifest
    ) throws(TillError) -> (BackupMember, UInt64)? {
        guard let header = TarHeader(try take(TarHeader.blockBytes)), header.date == date else {
            throw altered("the header of a member is wrong")
        }
        while let member = expected.popFirst() {
            if member.rawValue == header.name {
                guard header.byteCount <= member.maximumBytes ?? .max, header.byteCount <= remaining else {
                    throw header.byteCount > remaining ? incomplete : altered("\(member.rawValue) is too large")
                }
                return (member, header.byteCount)
            }
            guard member == .intermediateKey || member == .leafKey else {
                break
            }
        }
        throw altered("it has a member that does not belong there")
    }

    private mutating func small(_ member: BackupMember, _ byteCount: UInt64) throws(TillError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            try copy(member, byteCount) { bytes += $0 }
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.internal, "The backup cannot be read.", cause: error)
        }
        return bytes
    }

    private mutating func copy(
        _ member: BackupMember,
        _ byteCount: UInt64,
        to write: ([UInt8]) throws -> Void
    ) throws {
        var hasher = SHA256Hasher()
        var left = byteCount
        while left > 0 {
            let piece = try take(Int(min(left, UInt64(Self.pieceBytes))))
            hasher.update(piece)
            left -= UInt64(piece.count)
            try write(piece)
        }
        if member != .sums {
            sums += member.sumLine(hasher.digest.bytes.hexadecimal)
        }
        guard try take(TarHeader.padding(after: byteCount)).allSatisfy({ $0 == 0 }) else {
            throw altered("there are bytes between its members")
        }
    }

    private func checkSums(_ bytes: [UInt8]) throws(TillError) {
        guard bytes != Array(sums.utf8) else {
            return
        }
        let stored = Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n"))
        let wrong = sums.split(separator: "\n").first { !stored.contains($0) }
        let name = wrong?.split(separator: " ").last.map(String.init) ?? BackupMember.sums.rawValue
        throw altered("\(name) does not have its SHA-256")
    }

    /// Exactly so many next bytes.
    private mutating func take(_ count: Int) throws(TillError) -> [UInt8] {
        guard UInt64(count) <= remaining else {
            throw incomplete
        }
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = unsafe SecretFile.fill(&bytes) { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard let filled else {
            throw .systemCall("Cannot read \(path)")
        }
        guard filled == count else {
            throw incomplete
        }
        remaining -= UInt64(count)
        return bytes
    }

    private var incomplete: TillError {
        TillError(.invalidArgument, "\(path) ends too early: the backup is incomplete. Use another backup.")
    }

    private func altered(_ reason: String) -> TillError {
        TillError(.invalidArgument, "\(path) is damaged or was altered: \(reason). Use another backup.")
    }
}

/// The open file of a backup.
struct BackupFile: ~Copyable {
    let descriptor: CInt
    let byteCount: UInt64

    /// - Throws: `invalidArgument` if the path does not lead to a regular file.
    init(path: String) throws(TillError) {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TillError(.invalidArgument, "Cannot open \(path): \(unsafe String(cString: strerror(errno))).")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw TillError(.invalidArgument, "\(path) is not a regular file: name a file that till backup wrote.")
        }
        self.descriptor = descriptor
        byteCount = UInt64(clamping: status.st_size)
    }

    deinit {
        Glibc.close(descriptor)
    }
}
