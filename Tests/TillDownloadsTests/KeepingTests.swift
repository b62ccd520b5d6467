import ContentServer
import Foundation
import Glibc
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("Keeping and removing content")
struct KeepingTests {
    private func published(_ bench: DownloadBench, _ id: UUID, _ application: String = "a") async throws -> String {
        let bytes = sampleBytes(1000)
        bench.server.put("/content", ServedBytes(bytes))
        let queue = QueueName(application: application, account: DownloadBench.ownAccount)
        let outcome = await bench.download(try bench.order(bytes, id: id, queue: queue))
        guard case .published(let path, _) = outcome else {
            Issue.record("\(outcome)")
            return ""
        }
        return path
    }

    @Test
    func removingOneDownloadKeepsTheOthers() async throws {
        try await DownloadBench.run { bench in
            let ids = [UUID(), UUID()]
            let paths = [try await published(bench, ids[0]), try await published(bench, ids[1])]
            let queue = QueueName(application: "a", account: DownloadBench.ownAccount)
            await bench.downloader.remove(ids[0], of: queue)
            #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
            await bench.downloader.remove(ids[0], of: queue)
            await bench.downloader.remove(ids[1], of: QueueName(application: "..", account: "../.."))
            await bench.downloader.remove(ids[1], of: QueueName(application: "b", account: "uid:7"))
            #expect(FileManager.default.fileExists(atPath: paths[1]))
        }
    }

    @Test
    func removingAllKeepsExceptionsAndUnknownFiles() async throws {
        try await DownloadBench.run { bench in
            let ids = (0..<4).map { _ in UUID() }
            var paths: [String] = []
            for (id, application) in zip(ids, ["a", "a", "b", "..x"]) {
                paths.append(try await published(bench, id, application))
            }
            for name in [
                "\(DownloadNames(ids[0]).part)", "\(DownloadNames(UUID()).part)", "\(DownloadNames(UUID()).fresh)",
            ] {
                try bench.directory.write("content/partial/" + name, [1])
            }
            try bench.directory.write("content/partial/notes", [1])
            await bench.downloader.removeAll(except: [ids[0]])
            #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [true, false, false, false])
            #expect(Set(bench.directory.snapshot(of: "content/partial").keys) == [DownloadNames(ids[0]).part, "notes"])
            await bench.downloader.removeAll(except: [])
            #expect(bench.directory.snapshot(of: "content/accounts").isEmpty)
        }
    }

    @Test
    func linksAreRemovedAndNeverFollowed() async throws {
        try await DownloadBench.run { bench in
            let id = UUID()
            let path = try await published(bench, id)
            let outside = bench.directory.path("outside")
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try bench.directory.write("outside/precious", [1])
            let directory = URL(filePath: path).deletingLastPathComponent()
            let application = directory.deletingLastPathComponent()
            let account = application.deletingLastPathComponent()
            for (place, name) in [
                (directory, "link"), (application, UUID().uuidString.lowercased()), (account, "link"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: place.appending(path: name).path,
                    withDestinationPath: outside
                )
            }
            try FileManager.default.createDirectory(
                at: directory.appending(path: "deep/er"),
                withIntermediateDirectories: true
            )
            try FileManager.default.createSymbolicLink(
                atPath: directory.appending(path: "deep/er/up").path,
                withDestinationPath: "../../../../.."
            )
            await bench.downloader.removeAll(except: [])
            #expect(bench.directory.read("outside/precious") == [1])
            #expect(!FileManager.default.fileExists(atPath: directory.path))
        }
    }

    @Test
    func aDownloadIsNotPublishedThroughALink() async throws {
        try await DownloadBench.run { bench in
            _ = try await published(bench, UUID())
            let outside = bench.directory.path("outside")
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: "\(bench.content)/accounts/\(DownloadBench.ownAccount)/b",
                withDestinationPath: outside
            )
            let bytes = sampleBytes(10)
            let queue = QueueName(application: "b", account: DownloadBench.ownAccount)
            bench.server.put("/content", ServedBytes(bytes))
            let outcome = await bench.download(try bench.order(bytes, queue: queue))
            guard case .failed(let error) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(error.reason == .storage)
            #expect(bench.directory.snapshot(of: "outside").isEmpty)
        }
    }

    /// Damage that a crash or the account may have caused.
    private static let damages: [(String, @Sendable (URL) throws -> Void)] = [
        ("another byte", { try Data([1] + sampleBytes(999)).write(to: $0) }),
        ("a byte less", { try Data(sampleBytes(999)).write(to: $0) }),
        ("no file", { try FileManager.default.removeItem(at: $0) }),
        (
            "no mark",
            { try FileManager.default.removeItem(at: $0.deletingLastPathComponent().appending(path: "~whole")) }
        ),
        ("an empty mark", { try Data().write(to: $0.deletingLastPathComponent().appending(path: "~whole")) }),
        (
            "a link",
            {
                try FileManager.default.removeItem(at: $0)
                try FileManager.default.createSymbolicLink(at: $0, withDestinationURL: URL(filePath: "/etc/hostname"))
            }
        ),
        (
            "a directory",
            {
                try FileManager.default.removeItem(at: $0)
                try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
            }
        ),
    ]

    @Test(arguments: 0..<7)
    func damagedPublishedContentIsFetchedAgain(number: Int) async throws {
        let (name, damage) = Self.damages[number]
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(1000)
            bench.server.put("/content", ServedBytes(bytes))
            let order = try bench.order(bytes)
            guard case .published(let path, _) = await bench.download(order) else {
                Issue.record("It was to be published.")
                return
            }
            try damage(URL(filePath: path))
            bench.expectPublished(await bench.download(order), bytes, "\(name)")
            #expect(bench.server.requests.count == 2, "\(name)")
        }
    }

    /// Paths that may have been removed, by levels above the content.
    @Test(arguments: 0..<5)
    func removedContentIsLost(steps: Int) async throws {
        try await DownloadBench.run { bench in
            let ids = [UUID(), UUID()]
            let paths = [try await published(bench, ids[0], "a"), try await published(bench, ids[1], "b")]
            func lost(_ id: UUID, _ application: String, _ content: String = "level.1") async -> Bool {
                let queue = QueueName(application: application, account: DownloadBench.ownAccount)
                return await bench.downloader.hasLost(id, content: content, of: queue)
            }
            #expect(await !lost(ids[0], "a"))
            #expect(await lost(ids[0], "a", "level.2"))
            #expect(await !lost(ids[0], "a", "../.."))
            let removed = (0..<steps).reduce(URL(filePath: paths[0])) { url, _ in url.deletingLastPathComponent() }
            try FileManager.default.removeItem(at: removed)
            #expect(await lost(ids[0], "a"))
            #expect(await lost(ids[1], "b") == (steps > 2))
        }
    }

    @Test
    func contentWithoutAMarkOrBehindALinkIsLost() async throws {
        try await DownloadBench.run { bench in
            let ids = [UUID(), UUID()]
            let paths = [try await published(bench, ids[0]), try await published(bench, ids[1])]
            let queue = QueueName(application: "a", account: DownloadBench.ownAccount)
            let mark = URL(filePath: paths[0]).deletingLastPathComponent().appending(path: "~whole")
            try FileManager.default.removeItem(at: mark)
            try FileManager.default.removeItem(atPath: paths[1])
            try FileManager.default.createSymbolicLink(atPath: paths[1], withDestinationPath: paths[0])
            for id in ids {
                #expect(await bench.downloader.hasLost(id, content: "level.1", of: queue))
            }
        }
    }

    @Test
    func aFullDiskEndsTheDownload() async throws {
        try await DownloadBench.run(configure: { $0.freeSpaceFloor = 1 }) { bench in
            let bytes = sampleBytes(1000)
            bench.server.put("/content", ServedBytes(bytes))
            bench.expectFailed(await bench.download(try bench.order(bytes)), .noSpace)
            #expect(bench.server.requests.isEmpty)
        }
    }

    static let users: [(String, UInt32?)] = [
        ("uid:1000", 1000), ("uid:0", 0), ("uid:4294967294", 4_294_967_294), ("uid:4294967295", nil), ("uid:01", nil),
        ("uid:+1", nil), ("uid:", nil), ("uid:-1", nil), ("1000", nil), ("alice", nil), ("UID:1", nil), ("uid:1 ", nil),
    ]

    @Test(arguments: users)
    func onlyAUserAccountHasAUser(account: String, user: UInt32?) {
        #expect(AccountUser.ofAccount(account) == user)
    }

    static let names: [(String, String?)] = [
        ("a", "a"), ("uid:1000", "uid:1000"), (".", "%2E"), ("..", "%2E."), (".a", "%2Ea"), ("a.", "a."), ("-", "-"),
        ("", nil), ("a/b", nil), ("~whole", nil), ("%2E", nil), ("a\0", nil), ("é", nil),
    ]

    @Test(arguments: names)
    func identifiersBecomeSafeFileNames(identifier: String, name: String?) {
        #expect(FileName.ofIdentifier(identifier) == name)
    }

    @Test
    func hexadecimalIsReadBack() {
        #expect(([0, 15, 16, 255] as [UInt8]).hexadecimal == "000f10ff")
        #expect([UInt8](hexadecimal: "000f10ff") == [0, 15, 16, 255])
        #expect([UInt8](hexadecimal: "0") == nil)
        #expect([UInt8](hexadecimal: "0g") == nil)
        #expect([UInt8](hexadecimal: "é") == nil)
    }
}
