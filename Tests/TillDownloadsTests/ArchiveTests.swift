import ContentServer
import Foundation
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("Archives")
struct ArchiveTests {
    private static let files: [String: [UInt8]] = [
        "readme.txt": Array("hello".utf8), "levels/one/map": sampleBytes(70_000), "levels/two/map": [],
        "levels/日本語": [1],
    ]

    @Test
    func archivesOfEachKindAreUnpacked() async throws {
        try await ArchiveBench.run { bench in
            var builder = ArchiveBench.Builder()
            for (name, content) in Self.files.sorted(by: { $0.key < $1.key }) {
                builder.add(Array(name.utf8), content)
            }
            let tar = builder.tar.finished()
            var archives: [(String, [UInt8], ContentSource.Archive)] = [
                ("tar", tar, .tar), ("zip", builder.zip.finished(), .zip),
            ]
            for compression in Compression.allCases {
                archives.append((compression.rawValue, try compression.compress(tar), .tar))
            }
            var deflated = ZipBuilder()
            for (name, content) in Self.files {
                deflated.add(
                    Array(name.utf8),
                    try Compression.deflate(content),
                    method: 8,
                    length: content.count,
                    checksum: ZipBuilder.checksum(content)
                )
            }
            archives.append(("deflated", deflated.finished(), .zip))
            for (kind, archive, format) in archives {
                let outcome = try await bench.unpack(archive, as: format)
                let path = try bench.published(outcome, "\(kind)")
                #expect(outcome == .published(path: path, size: 70_006), "\(kind)")
                for (name, content) in Self.files {
                    #expect(
                        FileManager.default.contents(atPath: path + "/" + name).map(Array.init) == content,
                        "\(kind) \(name)"
                    )
                }
                #expect(TestDirectory.snapshot(of: path).count == 7, "\(kind)")
            }
        }
    }

    @Test
    func anUnpackedArchiveIsRecognised() async throws {
        try await ArchiveBench.run { bench in
            let archive = bench.archive(.tar) { $0.add(Array("a".utf8), [1, 2]) }
            try bench.downloads.directory.write("archive", archive)
            let source = URL(filePath: bench.downloads.directory.path("archive")).absoluteString
            let order = try bench.downloads.order(archive, address: source, archive: .tar)
            let first = await bench.downloads.download(order)
            try FileManager.default.removeItem(atPath: bench.downloads.directory.path("archive"))
            #expect(await bench.downloads.download(order) == first)
        }
    }

    @Test
    func filesGetFixedModesAndNotTheArchives() async throws {
        try await ArchiveBench.run { bench in
            var tar = TarBuilder()
            tar.add("d/", type: "5", mode: 0o777)
            tar.add("d/f", [1], mode: 0o777)
            tar.add("e/", type: "5", mode: 0o000)
            let path = try bench.published(try await bench.unpack(tar.finished(), as: .tar))
            let modes = try ["d", "d/f", "e"].map {
                try FileManager.default.attributesOfItem(atPath: path + "/" + $0)[.posixPermissions] as? Int
            }
            #expect(modes == [0o755, 0o444, 0o755])
        }
    }

    static let attacks: [(String, ContentSource.Archive, [UInt8])] = {
        var attacks: [(String, ContentSource.Archive, [UInt8])] = []
        func tar(_ name: String, _ fill: (inout TarBuilder) -> Void) {
            var builder = TarBuilder()
            fill(&builder)
            attacks.append((name, .tar, builder.finished()))
        }
        func zip(_ name: String, _ fill: (inout ZipBuilder) -> Void) {
            var builder = ZipBuilder()
            fill(&builder)
            attacks.append((name, .zip, builder.finished()))
        }
        for target in ["a", "/etc/passwd", "..", "../../evil", "."] {
            tar("a symbolic link to \(target)") { $0.add(Array("l".utf8), type: "2", target: target) }
            tar("a hard link to \(target)") {
                $0.add("a", [1])
                $0.add(Array("l".utf8), type: "1", target: target)
            }
            tar("a file through a link to \(target)") {
                $0.add(Array("l".utf8), type: "2", target: target)
                $0.add("l/evil", [1])
            }
            zip("a link to \(target)") { $0.add("l", Array(target.utf8), mode: 0o120777) }
        }
        for (kind, type) in [("character device", "3"), ("block device", "4"), ("pipe", "6")] {
            tar("a \(kind)") { $0.add("x", type: Character(type)) }
        }
        // libarchive treats a pipe in a zip archive as a file.
        for (kind, mode) in [("socket", 0o140644), ("device", 0o060644)] as [(String, UInt32)] {
            zip("a \(kind)") { $0.add("x", mode: mode) }
        }
        for mode in [0o4755, 0o2755, 0o6755] {
            tar("the mode \(String(mode, radix: 8))") { $0.add("x", [1], mode: mode) }
            zip("the mode \(String(mode, radix: 8))") { $0.add("x", [1], mode: 0o100000 | UInt32(mode)) }
        }
        for (one, two) in [("a", "a"), ("a", "A"), ("a/x", "A/x"), ("é", "e\u{301}"), ("a", "a/b"), ("a/b", "a")] {
            tar("\(one) and \(two)") {
                $0.add(one, [1]); $0.add(two, [2])
            }
            zip("\(one) and \(two)") {
                $0.add(one, [1]); $0.add(two, [2])
            }
        }
        zip("an encrypted entry") { $0.add(Array("a".utf8), sampleBytes(100), flags: 0x801) }
        zip("a wrong checksum") { $0.add(Array("a".utf8), [1, 2, 3], checksum: 7) }
        attacks.append(("nothing", .zip, [0]))
        attacks.append(("a zip instead of a tar", .tar, attacks.first { $0.1 == .zip }?.2 ?? []))
        attacks.append(("a tar instead of a zip", .zip, attacks.first { $0.1 == .tar }?.2 ?? []))
        return attacks
    }()

    @Test
    func attacksAreRefused() async throws {
        try await ArchiveBench.run { bench in
            for (name, format, archive) in Self.attacks {
                bench.downloads.expectFailed(
                    try await bench.unpack(archive, as: format),
                    .archive,
                    "\(format): \(name)"
                )
            }
        }
    }

    @Test
    func anArchiveThatIsCompressedTwiceIsRefused() async throws {
        try await ArchiveBench.run { bench in
            let tar = bench.archive(.tar) { $0.add([0x61], [1]) }
            let twice = try Compression.gzip.compress(Compression.gzip.compress(tar))
            bench.downloads.expectFailed(try await bench.unpack(twice, as: .tar), .archive)
        }
    }

    @Test
    func aDecompressionBombIsDetectedWhileUnpacking() async throws {
        try await ArchiveBench.run { bench in
            let zeros = [UInt8](repeating: 0, count: 8 * 1024 * 1024)
            var zip = ZipBuilder()
            zip.add(
                [0x61],
                try Compression.deflate(zeros),
                method: 8,
                length: zeros.count,
                checksum: 0
            )
            bench.downloads.expectFailed(try await bench.unpack(zip.finished(), as: .zip), .archive)
            var lying = ZipBuilder()
            lying.add([0x61], try Compression.deflate(zeros), method: 8, length: 10)
            bench.downloads.expectFailed(try await bench.unpack(lying.finished(), as: .zip), .archive)
            var tar = TarBuilder()
            tar.add("a", zeros)
            for compression in Compression.allCases {
                let bomb = try compression.compress(tar.finished())
                bench.downloads.expectFailed(try await bench.unpack(bomb, as: .tar), .archive, "\(compression)")
            }
        }
    }

    @Test(arguments: [(1_048_576, true), (1_048_577, false)])
    func theFirstMegabyteMayHaveAnyRatio(count: Int, isUnpacked: Bool) async throws {
        try await ArchiveBench.run { bench in
            var tar = TarBuilder()
            tar.add("a", [UInt8](repeating: 0, count: count))
            let outcome = try await bench.unpack(Compression.xz.compress(tar.finished()), as: .tar)
            if isUnpacked {
                _ = try bench.published(outcome)
            } else {
                bench.downloads.expectFailed(outcome, .archive)
            }
        }
    }

    @Test(arguments: [(10, true), (11, false)])
    func theUnpackedBytesAreLimited(count: Int, isUnpacked: Bool) async throws {
        var limits = ArchiveLimits()
        limits.bytesMaximum = 10
        try await ArchiveBench.run(limits: limits) { bench in
            let archive = bench.archive(.tar) {
                $0.add([0x61], sampleBytes(4))
                $0.add([0x62], sampleBytes(count - 4))
            }
            let outcome = try await bench.unpack(archive, as: .tar)
            isUnpacked ? _ = try bench.published(outcome) : bench.downloads.expectFailed(outcome, .archive)
        }
    }

    @Test(arguments: ContentSource.Archive.allCases)
    func theUnpackedEntriesAreLimited(format: ContentSource.Archive) async throws {
        try await ArchiveBench.run { bench in
            let archive = bench.archive(format) { builder in
                (0...ArchiveLimits().entriesMaximum).forEach { builder.add(Array("e\($0)".utf8), []) }
            }
            bench.downloads.expectFailed(try await bench.unpack(archive, as: format), .archive)
        }
    }

    @Test(arguments: [(4, true), (3, false)])
    func intermediateDirectoriesCountAsEntries(limit: Int, isUnpacked: Bool) async throws {
        var limits = ArchiveLimits()
        limits.entriesMaximum = limit
        try await ArchiveBench.run(limits: limits) { bench in
            let archive = bench.archive(.zip) { $0.add(Array("a/b/c/d".utf8), []) }
            let outcome = try await bench.unpack(archive, as: .zip)
            isUnpacked ? _ = try bench.published(outcome) : bench.downloads.expectFailed(outcome, .archive)
        }
    }

    @Test
    func truncatedArchivesAreRefused() async throws {
        try await ArchiveBench.run { bench in
            var builder = ArchiveBench.Builder()
            builder.add(Array("a".utf8), sampleBytes(3000))
            builder.add(Array("b/c".utf8), sampleBytes(3000))
            let tar = builder.tar.bytes
            let cases: [(ContentSource.Archive, [UInt8])] = [
                (.zip, builder.zip.finished()),
                (.tar, try Compression.gzip.compress(tar + [UInt8](repeating: 0, count: 1024))),
                (.tar, try Compression.xz.compress(tar)),
            ]
            for (format, archive) in cases {
                for count in stride(from: 1, to: archive.count - 30, by: 97) {
                    let outcome = try await bench.unpack(Array(archive.prefix(count)), as: format)
                    bench.downloads.expectFailed(outcome, .archive, "\(format) \(count)")
                }
            }
        }
    }

    @Test(arguments: ContentSource.Archive.allCases)
    func archivesWithAFlippedBitStayInsideTheDirectory(format: ContentSource.Archive) async throws {
        try await ArchiveBench.run { bench in
            let archive = bench.archive(format) {
                $0.add(Array("a".utf8), [1, 2, 3])
                $0.add(Array("b/c".utf8), [4])
            }
            var random = SystemRandomNumberGenerator()
            for _ in 0..<300 {
                var broken = archive
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    broken[Int.random(in: broken.indices, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                switch try await bench.unpack(broken, as: format) {
                case .published: break
                case .failed(let error): #expect(error.reason == .archive, "\(broken)")
                case .stopped: Issue.record("The download was stopped.")
                }
            }
        }
    }
}
