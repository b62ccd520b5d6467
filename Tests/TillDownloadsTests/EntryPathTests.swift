import ContentServer
import Foundation
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("The names in archives")
struct EntryPathTests {
    @Test
    func theCorpusIsLarge() {
        #expect(PathCorpus.refused.count + PathCorpus.kept.count >= 500)
        #expect(PathCorpus.refused.count >= 250)
    }

    @Test(arguments: ContentSource.Archive.allCases)
    func refusedNamesLeaveNoFiles(format: ContentSource.Archive) async throws {
        try await ArchiveBench.run { bench in
            for name in PathCorpus.refused where format == .tar || !Self.isOtherInZip(name) {
                let archive = bench.archive(format) { $0.add(name, [1, 2, 3]) }
                let outcome = try await bench.unpack(archive, as: format)
                bench.downloads.expectFailed(
                    outcome,
                    .archive,
                    "\(String(decoding: name, as: UTF8.self).debugDescription)"
                )
            }
        }
    }

    /// In zip archives, libarchive treats a name with a trailing slash as a directory's, and converts backslashes to
    /// slashes if the name has no slash. The resulting names are checked by all rules.
    private static func isOtherInZip(_ name: [UInt8]) -> Bool {
        name.last == UInt8(ascii: "/") || name.contains(UInt8(ascii: "\\")) && !name.contains(UInt8(ascii: "/"))
    }

    @Test
    func normalisedZipNamesStayInsideTheDirectory() async throws {
        try await ArchiveBench.run { bench in
            for name in PathCorpus.refused where Self.isOtherInZip(name) {
                let archive = bench.archive(.zip) { $0.add(name, [1, 2, 3]) }
                switch try await bench.unpack(archive, as: .zip) {
                case .published: break
                case .failed(let error): #expect(error.reason == .archive)
                case .stopped: Issue.record("The download was stopped.")
                }
            }
        }
    }

    @Test(arguments: ContentSource.Archive.allCases)
    func acceptedNamesStayInsideTheDirectory(format: ContentSource.Archive) async throws {
        try await ArchiveBench.run { bench in
            for name in PathCorpus.kept {
                let archive = bench.archive(format) { $0.add(name, [1, 2, 3]) }
                let text = String(decoding: name, as: UTF8.self)
                let path = try bench.published(try await bench.unpack(archive, as: format), "\(text.debugDescription)")
                let files = TestDirectory.snapshot(of: path).filter { $0.value == "NSFileTypeRegular 3" }
                let steps = text.hasPrefix("./") ? String(text.dropFirst(2)) : text
                #expect(
                    files.keys.map { $0.precomposedStringWithCanonicalMapping }
                        == [steps.precomposedStringWithCanonicalMapping]
                )
            }
        }
    }

    @Test(arguments: ContentSource.Archive.allCases)
    func aNameWithANULIsTruncatedAndStaysInside(format: ContentSource.Archive) async throws {
        try await ArchiveBench.run { bench in
            let archive = bench.archive(format) { $0.add(Array("a\0/../../evil".utf8), [1]) }
            _ = try await bench.unpack(archive, as: format)
        }
    }

    @Test(arguments: [
        ("a/", ["a"]), ("./", []), (".", []), ("./a/", ["a"]), ("a/b", ["a", "b"]), ("./a", ["a"]),
    ])
    func namesOfDirectoriesMayEndInASlash(name: String, steps: [String]) throws {
        #expect(try EntryPath(Array(name.utf8), isDirectory: true, limits: ArchiveLimits()).steps == steps)
    }

    static let collisions: [([String], ArchiveFault)] = [
        (["a", "a"], .duplicate), (["a", "A"], .collision), (["straße", "STRASSE"], .collision),
        (["é", "e\u{301}"], .collision), (["a/x", "A/y"], .collision), (["ı/x", "I/y"], .collision),
        (["a/x", "a"], .duplicate), (["a", "a/x"], .duplicate), (["σ", "ς"], .collision), (["K", "k"], .collision),
    ]

    @Test(arguments: collisions)
    func collidingNamesAreRefused(names: [String], fault: ArchiveFault) throws {
        var tree = EntryTree()
        #expect(throws: fault) {
            for name in names {
                _ = try tree.add(
                    EntryPath(Array(name.utf8), isDirectory: false, limits: ArchiveLimits()),
                    isDirectory: false
                )
            }
        }
    }

    @Test
    func aDirectoryMayFollowItsContentsButOnlyOnce() throws {
        var tree = EntryTree()
        let limits = ArchiveLimits()
        let directory = try EntryPath(Array("a/b/".utf8), isDirectory: true, limits: limits)
        let file = try EntryPath(Array("a/b/c".utf8), isDirectory: false, limits: limits)
        #expect(try tree.add(file, isDirectory: false) == [["a"], ["a", "b"]])
        #expect(try tree.add(directory, isDirectory: true) == [])
        #expect(tree.count == 3)
        #expect(throws: ArchiveFault.duplicate) { try tree.add(directory, isDirectory: true) }
    }
}
