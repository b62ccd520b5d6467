import ContentServer
import Foundation
import Glibc
import Testing
import TillEngine
import TillModel

@testable import TillDownloads

@Suite("Access to published content")
struct AccessTests {
    private static let stranger = "65534"

    private func path(_ bench: DownloadBench, account: String) async throws -> String? {
        let bytes = sampleBytes(1000)
        bench.server.put("/content", ServedBytes(bytes))
        let queue = QueueName(application: "a", account: account)
        let outcome = await bench.download(try bench.order(bytes, queue: queue))
        guard case .published(let path, _) = outcome else {
            Issue.record("\(outcome)")
            return nil
        }
        return path
    }

    /// Whether the command succeeds when it runs as the user.
    private func succeeds(as user: String, _ command: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--reuid", user, "--clear-groups", "--regid", user, "--"] + command
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test
    func contentOfTheDaemonsUserIsOnlyReadableByThatUser() async throws {
        try await DownloadBench.run { bench in
            let path = try #require(await path(bench, account: DownloadBench.ownAccount))
            let account = "\(bench.content)/accounts/\(DownloadBench.ownAccount)"
            let mode = try FileManager.default.attributesOfItem(atPath: account)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            #expect(FileManager.default.isReadableFile(atPath: path))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func contentOfAnotherUserIsOnlyReadableByThatUser() async throws {
        try await DownloadBench.run { bench in
            let path = try #require(await path(bench, account: "uid:" + Self.stranger))
            let directory = URL(filePath: path).deletingLastPathComponent().path
            #expect(try succeeds(as: Self.stranger, "/bin/cat", path))
            #expect(try succeeds(as: Self.stranger, "/bin/ls", directory))
            #expect(try !succeeds(as: "65533", "/bin/cat", path))
            #expect(try !succeeds(as: Self.stranger, "/bin/sh", "-c", "echo >> '\(path)'"))
            #expect(try !succeeds(as: Self.stranger, "/bin/rm", "-f", path))
            #expect(try !succeeds(as: Self.stranger, "/bin/touch", directory + "/x"))
            #expect(try !succeeds(as: Self.stranger, "/bin/ls", bench.content + "/partial"))
            #expect(try !succeeds(as: Self.stranger, "/bin/ls", bench.content + "/accounts"))
            #expect(try !succeeds(as: Self.stranger, "/bin/ls", bench.content))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func ownershipIsTransferredWithoutAccessLists() throws {
        let directory = try TestDirectory()
        let number = unsafe open(directory.path, O_RDONLY | O_DIRECTORY)
        try AccountAccess.give(Directory(Descriptor(owning: number)), to: 65_534)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect(attributes[.posixPermissions] as? Int == 0o500)
        #expect(attributes[.ownerAccountID] as? Int == 65_534)
    }

    @Test
    func theAccessListHasTheKernelsFormat() {
        #expect(
            AccessList(reader: 65_534).bytes == [
                2, 0, 0, 0,
                1, 0, 7, 0, 255, 255, 255, 255,
                2, 0, 5, 0, 254, 255, 0, 0,
                4, 0, 0, 0, 255, 255, 255, 255,
                16, 0, 5, 0, 255, 255, 255, 255,
                32, 0, 0, 0, 255, 255, 255, 255,
            ]
        )
    }

    @Test
    func contentForAnUnknownUserFailsBeforeItIsFetched() async throws {
        try await DownloadBench.run { bench in
            for account in ["alice", "uid:4294967295", "../..", ""] {
                let queue = QueueName(application: "a", account: account)
                bench.expectFailed(await bench.download(try bench.order([1], queue: queue)), .storage, "\(account)")
            }
            #expect(bench.server.requests.isEmpty)
        }
    }

    @Test
    func aDirectoryThatOthersCannotTraverseFailsWithAdvice() async throws {
        try await DownloadBench.run { bench in
            _ = unsafe chmod(bench.content, 0o700)
            let queue = QueueName(application: "a", account: "uid:" + Self.stranger)
            let outcome = await bench.download(try bench.order([1], queue: queue))
            let message = "User 65534 cannot access its content; run: chmod o+x \(bench.content)"
            #expect(outcome == .failed(DownloadError(.storage, message)))
        }
    }

    @Test(arguments: [0o777, 0o720, 0o702])
    func aDirectoryThatOthersCanWriteIsRefused(mode: mode_t) throws {
        let directory = try TestDirectory()
        let path = directory.path("content")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        _ = unsafe chmod(path, mode)
        let error = #expect(throws: TillError.self) {
            try HostedContentDownloader(DownloaderConfiguration(directory: path))
        }
        #expect(error?.code == .failedPrecondition)
    }

    @Test
    func aContentDirectoryMustBelongToTheDaemonsUser() throws {
        let directory = try TestDirectory()
        try directory.write("file", [1])
        try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: directory.path)
        for name in ["file", "link", "missing/content"] {
            let error = #expect(throws: TillError.self, "\(name)") {
                try HostedContentDownloader(DownloaderConfiguration(directory: directory.path(name)))
            }
            #expect(error?.code == .failedPrecondition, "\(name)")
        }
    }
}
