import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// Files that are not whole backups: each is refused with one sentence, and the state directory stays as it was.
@Suite(.timeLimit(.minutes(5))) struct BackupDamageTests {
    /// A change of a backup's bytes, and a part of the sentence that refuses it.
    struct Damage: CustomTestStringConvertible {
        var testDescription: String
        var sentence: String
        var apply: @Sendable (inout Archive) -> Void

        init(_ description: String, _ sentence: String, _ apply: @escaping @Sendable (inout Archive) -> Void) {
            testDescription = description
            self.sentence = sentence
            self.apply = apply
        }
    }

    /// The bytes of a backup, and where its members are.
    struct Archive {
        struct Place {
            var header: Int
            var content: Range<Int>

            /// With the header and the zeros after the content.
            var all: Range<Int> {
                header..<content.lowerBound + (content.count + 511) / 512 * 512
            }
        }

        var bytes: [UInt8]
        private(set) var places: [String: Place] = [:]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var offset = 0
            while offset < bytes.count, bytes[offset] != 0 {
                let name = String(decoding: bytes[offset..<offset + 100].prefix { $0 != 0 }, as: UTF8.self)
                let size = Int(String(decoding: bytes[offset + 124..<offset + 135], as: UTF8.self), radix: 8) ?? 0
                let place = Place(header: offset, content: offset + 512..<offset + 512 + size)
                places[name] = place
                offset = place.all.upperBound
            }
        }

        /// Writes bytes into the header of a member, and corrects its checksum.
        mutating func edit(_ name: String, at offset: Int, _ text: String, padding count: Int = 0) {
            guard let start = places[name]?.header else {
                return
            }
            let field = Array(text.utf8) + Array(repeating: 0, count: max(0, count - text.utf8.count))
            bytes.replaceSubrange(start + offset..<start + offset + field.count, with: field)
            bytes.replaceSubrange(start + 148..<start + 156, with: Array("        ".utf8))
            let digits = String(bytes[start..<start + 512].reduce(0) { $0 + Int($1) }, radix: 8)
            let sum = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
            bytes.replaceSubrange(start + 148..<start + 156, with: Array(sum.utf8))
        }

        mutating func insertAgain(_ name: String) {
            if let place = places[name] {
                bytes.insert(contentsOf: Array(bytes[place.all]), at: place.all.upperBound)
            }
        }
    }

    private static let members = [
        "till-backup.json", "ledger.sqlite", "simulated-charges.jsonl", "root-certificates.pem", "receipts/root.pem",
        "receipts/intermediate.pem", "receipts/leaf.pem", "SHA256SUMS",
    ]

    private static let foreign = "is not a backup of Till: name a file that till backup wrote."
    private static let header = "the header of a member is wrong"
    private static let early = "ends too early: the backup is incomplete"

    private static let damages: [Damage] =
        members.flatMap { name in
            let isFirst = name == members[0]
            return [
                Damage("a byte of \(name)", "is damaged or was altered") { archive in
                    archive.places[name].map { archive.bytes[$0.content.upperBound - 2] ^= 1 }
                },
                Damage("a byte of the header of \(name)", isFirst ? foreign : header) { archive in
                    archive.places[name].map { archive.bytes[$0.header + 330] ^= 1 }
                },
                Damage("the end in \(name)", early) { archive in
                    archive.places[name].map {
                        archive.bytes.removeLast(archive.bytes.count - $0.content.lowerBound - 1)
                    }
                },
                Damage("the end before \(name)", isFirst ? foreign : early) { archive in
                    archive.places[name].map { archive.bytes.removeLast(archive.bytes.count - $0.header) }
                },
                Damage("\(name) twice", "is damaged or was altered") { $0.insertAgain(name) },
                Damage(
                    "a path out of the directory for \(name)",
                    isFirst ? foreign : "a member that does not belong there"
                ) {
                    $0.edit(name, at: 0, "../../etc/till", padding: 100)
                },
                Damage("a link for \(name)", isFirst ? foreign : header) { archive in
                    archive.edit(name, at: 156, "2")
                    archive.edit(name, at: 157, "/etc/passwd", padding: 100)
                },
                Damage("a huge size of \(name)", isFirst ? foreign : early) { $0.edit(name, at: 124, "77777777777\0") },
                Damage("a size of \(name) beyond all numbers", isFirst ? foreign : header) {
                    $0.edit(name, at: 124, "\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}")
                },
            ]
        } + [
            Damage("an empty file", foreign) { $0.bytes = [] },
            Damage("another file", foreign) {
                $0.bytes = Array(repeating: 0x41, count: 100_000)
            },
            Damage("a newer format", "made by a newer Till. Install the newer Till.") { archive in
                if let place = archive.places["till-backup.json"] {
                    let text = String(decoding: archive.bytes[place.content], as: UTF8.self)
                    let changed = text.replacing("\"format\" : 1", with: "\"format\" : 2")
                    archive.bytes.replaceSubrange(place.content, with: Array(changed.utf8))
                }
            },
            Damage("bytes at the end", "it does not end where it should") { $0.bytes += [0] },
            Damage("a missing end", early) { $0.bytes.removeLast(512) },
            Damage("a byte between members", "there are bytes between its members") { archive in
                archive.places["till-backup.json"].map { archive.bytes[$0.content.upperBound] = 1 }
            },
        ]

    @Test func everyDamagedFileIsRefusedAndLeavesTheDirectoryAsItWas() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let queue = site.queue()
            _ = try await queue.purchase(Payment(productID: TestStore.coins))
            await queue.close()
            #expect(try await site.till(["backup", site.backup, "--with-keys"]).exit == .status(0))
            try await site.stop(daemon)
            let whole = Archive(Array(try Data(contentsOf: URL(filePath: site.backup))))
            #expect(Set(whole.places.keys) == Set(Self.members))
            let file = site.path("damaged.tar")
            let empty = site.path("empty")
            try site.makeState(mode: 0o700, at: empty)
            for (number, damage) in Self.damages.enumerated() {
                var archive = whole
                damage.apply(&archive)
                #expect(archive.bytes != whole.bytes, "\(damage.testDescription) changes nothing")
                try Data(archive.bytes).write(to: URL(filePath: file))
                let state = number.isMultiple(of: 2) ? site.restored : empty
                let (exit, lines) = try await site.restore(file, into: state)
                let description = Comment(rawValue: "\(damage.testDescription): \(lines)")
                #expect(exit == .status(EX_DATAERR), description)
                #expect(lines.count == 1 && lines[0].hasPrefix("tilld: \(file) "), description)
                #expect(lines.first?.contains(damage.sentence) == true, description)
                #expect(!FileManager.default.fileExists(atPath: site.restored), "\(damage.testDescription)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: empty) == [], "\(damage.testDescription)")
            }
            #expect(try await site.restore(into: empty).exit == .status(0))
        }
    }

    @Test func aDirectoryThatIsNotEmptyIsRefused() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            #expect(try await site.till(["backup", site.backup]).exit == .status(0))
            let (exit, lines) = try await site.restore(into: site.state)
            #expect(exit == .status(EX_CANTCREAT))
            #expect(
                lines == [
                    "tilld: \(site.state) is not empty: name a new directory for the restored state, or move the old state away."
                ]
            )
            try await site.stop(daemon)
        }
    }

    @Test func anInterruptedRestoreIsRefusedByEveryStart() async throws {
        try await Site.with { site in
            try await site.makeLedger()
            try FileManager.default.createDirectory(
                atPath: "\(site.state)/restoring",
                withIntermediateDirectories: false
            )
            let sentence = """
                tilld: A restore of a backup into \(site.state) was interrupted: remove the directory, and restore the \
                backup again.
                """
            let daemon = try site.startDaemon()
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains(sentence))
            for command in ["check", "reconcile"] {
                let (exit, lines) = try await site.examine(command, site.state)
                #expect(exit == .status(EX_CANTCREAT))
                #expect(lines == [sentence])
            }
        }
    }
}
