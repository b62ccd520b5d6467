import Foundation
import NIOCore
import TillModel

@testable import TillDaemon

extension FuzzTarget {
    /// A backup. The first byte says whether it has keys (1), is of Stripe (2), has any bytes as its description (4) and any
    /// members in any order (8). Pieces follow: the description, and the bytes of each member, which has its number in front
    /// if the members are any. After the pieces come changes of single bytes: a position in two bytes, and what is flipped.
    static let backup = FuzzTarget("backup") { input in
        var script = FuzzScript(input)
        var archive = archive(of: members(&script))
        while let high = script.next(), let low = script.next(), let flipped = script.next() {
            archive[(Int(high) << 8 | Int(low)) % archive.count] ^= flipped
        }
        read(archive)
    }

    private static let date: UInt64 = 1_800_000_000

    private static func members(_ script: inout FuzzScript) -> [BackupWriter.Member] {
        let flags = script.next() ?? 0
        let manifest = BackupManifest(
            till: "0.1.0",
            ledgerID: UUID(),
            schema: 1,
            date: Date(timeIntervalSince1970: Double(date)),
            provider: flags & 2 == 0 ? .simulated : .stripe,
            keys: flags & 1 != 0
        )
        let encoded = (try? manifest.encoded()) ?? []
        let description = flags & 4 == 0 ? encoded : Array(buffer: script.piece())
        var members = [BackupWriter.Member(name: .manifest, source: .bytes(description))]
        if flags & 8 == 0 {
            for name in manifest.members where name != .manifest && name != .sums {
                members.append(BackupWriter.Member(name: name, source: .bytes(Array(buffer: script.piece()))))
            }
        } else {
            for _ in 0..<(script.next() ?? 0) % 16 {
                let name = BackupMember.allCases[Int(script.next() ?? 0) % BackupMember.allCases.count]
                members.append(BackupWriter.Member(name: name, source: .bytes(Array(buffer: script.piece()))))
            }
        }
        return members
    }

    private static func archive(of members: [BackupWriter.Member], date: UInt64 = date) -> [UInt8] {
        var writer = BackupWriter(members, date: date, partMaximum: 100)
        var archive: [UInt8] = []
        while let part = try? writer.next() { archive += part }
        return archive
    }

    private static func read(_ archive: [UInt8]) {
        let path = FileManager.default.temporaryDirectory.appending(path: "till-backup-\(UUID().uuidString)").path
        try? Data(archive).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let file = try? BackupFile(path: path), var reader = try? BackupReader(path: path, file) else {
            fatalError("broken promise: any file can be opened")
        }
        var members: [(name: BackupMember, bytes: [UInt8])] = []
        do {
            let manifest = try reader.read(begin: { members.append(($0, [])) }) {
                members[members.count - 1].bytes += $0
            }
            check(archive, manifest, members)
        } catch {
            promise((error as? TillError)?.code == .invalidArgument, "what is refused is named: \(error)")
        }
    }

    /// What is accepted is what the writer makes of the same members, byte for byte.
    private static func check(
        _ archive: [UInt8],
        _ manifest: BackupManifest,
        _ members: [(name: BackupMember, bytes: [UInt8])]
    ) {
        guard let header = TarHeader(Array(archive.prefix(TarHeader.blockBytes))) else {
            fatalError("broken promise: a backup begins with a header")
        }
        let description = archive.dropFirst(TarHeader.blockBytes).prefix(Int(header.byteCount))
        let all = [(name: BackupMember.manifest, bytes: Array(description))] + members
        let again = Self.archive(
            of: all.map { BackupWriter.Member(name: $0.name, source: .bytes($0.bytes)) },
            date: header.date
        )
        promise(again == archive, "an accepted backup is one that is written")
        let names = members.map(\.name)
        promise(names == manifest.members.filter(names.contains), "its members are those of its description, in order")
    }
}
