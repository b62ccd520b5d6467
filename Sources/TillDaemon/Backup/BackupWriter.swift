import Glibc
import TillCrypto
import TillModel

/// Makes the bytes of a backup, a part at a time, so that none of its files is ever in memory as a whole.
struct BackupWriter {
    /// The bytes of a member.
    enum Source {
        case bytes([UInt8])
        /// The first bytes of an open file.
        case file(OpenFile, byteCount: Int)

        var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let byteCount): byteCount
            }
        }
    }

    struct Member {
        var name: BackupMember
        var source: Source
    }

    private struct Current {
        var member: Member
        var offset = 0
        var hasher = SHA256Hasher()
    }

    /// The size of the whole backup.
    let byteCount: UInt64
    private let partMaximum: Int
    private let date: UInt64
    private var members: ArraySlice<Member>
    private var current: Current?
    private var sums = ""
    private var isEnded = false

    init(_ members: [Member], date: UInt64, partMaximum: Int) {
        self.members = members[...]
        self.date = date
        self.partMaximum = partMaximum
        let emptySum = String(repeating: "0", count: 2 * SHA256Digest(of: []).bytes.count)
        let sumBytes = members.reduce(0) { $0 + $1.name.sumLine(emptySum).utf8.count }
        let sizes = members.map(\.source.byteCount) + [sumBytes]
        byteCount = sizes.reduce(UInt64(TarHeader.end.count)) { sum, size in
            sum + UInt64(TarHeader.blockBytes + size + TarHeader.padding(after: UInt64(size)))
        }
    }

    /// The next bytes, at most the maximum; nil after the last ones.
    mutating func next() throws(TillError) -> [UInt8]? {
        while true {
            if let part = try nextOfCurrent() {
                return part
            }
            if let member = members.popFirst() {
                current = Current(member: member)
                return header(member.name, member.source.byteCount)
            }
            guard !isEnded else {
                return nil
            }
            isEnded = true
            let text = Array(sums.utf8)
            let padding = [UInt8](repeating: 0, count: TarHeader.padding(after: UInt64(text.count)))
            return header(.sums, text.count) + text + padding + TarHeader.end
        }
    }

    /// Nil when the current member is complete.
    private mutating func nextOfCurrent() throws(TillError) -> [UInt8]? {
        guard var current else {
            return nil
        }
        let size = current.member.source.byteCount
        guard current.offset < size else {
            self.current = nil
            sums += current.member.name.sumLine(current.hasher.digest.bytes.hexadecimal)
            let padding = TarHeader.padding(after: UInt64(size))
            return padding == 0 ? nil : Array(repeating: 0, count: padding)
        }
        let range = current.offset..<min(size, current.offset + partMaximum)
        let part =
            switch current.member.source {
            case .bytes(let bytes): Array(bytes[range])
            case .file(let file, _): try file.read(range)
            }
        current.offset = range.upperBound
        current.hasher.update(part)
        self.current = current
        return part
    }

    private func header(_ member: BackupMember, _ byteCount: Int) -> [UInt8] {
        TarHeader(name: member.rawValue, byteCount: UInt64(byteCount), date: date).bytes
    }
}

/// A file that is read at any position.
final class OpenFile: Sendable {
    private let descriptor: CInt
    private let name: String
    /// Whatever else keeps the descriptor open.
    private let owner: (any Sendable)?

    /// - Parameter owner: The owner of the descriptor, which closes it.
    init(_ descriptor: CInt, _ name: String, of owner: any Sendable) {
        self.descriptor = descriptor
        self.name = name
        self.owner = owner
    }

    init(path: String) throws(TillError) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        name = path
        owner = nil
        guard descriptor >= 0 else {
            throw .systemCall("Cannot open \(path)")
        }
    }

    deinit {
        if owner == nil, descriptor >= 0 {
            Glibc.close(descriptor)
        }
    }

    func read(_ range: Range<Int>) throws(TillError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var offset = range.lowerBound
        let filled = unsafe SecretFile.fill(&bytes) { buffer in
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
            offset += max(0, count)
            return count
        }
        guard let filled else {
            throw .systemCall("Cannot read \(name)")
        }
        guard filled == bytes.count else {
            throw TillError(.unavailable, "\(name) became shorter while it was read.")
        }
        return bytes
    }
}
