import Foundation
import Glibc
import Logging
import Testing
import TillModel
import TillSQLite
import TillTesting
@testable import TillDaemon
@testable import TillEngine

@Suite struct WatchedFileTests {
    @Test func aFileThatIsPresentAndWrittenPasses() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/ledger"
            try Data("one".utf8).write(to: URL(filePath: path))
            let file = try WatchedFile(path, "The ledger")
            try file.check()
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.write(contentsOf: Data("two".utf8))
            try handle.close()
            try file.check()
        }
    }

    @Test(arguments: ["removed", "renamed", "replaced", "without its directory", "behind a link"])
    func aFileIsGoneIfItsNameLeadsElsewhere(_ how: String) throws {
        try inTemporaryDirectory { directory in
            let inner = "\(directory)/state"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            let path = "\(inner)/ledger"
            try Data("one".utf8).write(to: URL(filePath: path))
            let file = try WatchedFile(path, "The ledger")
            switch how {
            case "removed": try FileManager.default.removeItem(atPath: path)
            case "renamed": #expect(unsafe rename(path, "\(path).old") == 0)
            case "replaced": try Data("one".utf8).write(to: URL(filePath: path), options: .atomic)
            case "behind a link":
                #expect(unsafe rename(path, "\(path).old") == 0)
                #expect(unsafe symlink("\(path).old", path) == 0)
            default: #expect(unsafe rename(inner, "\(directory)/elsewhere") == 0)
            }
            let gone = #expect(throws: WatchedFile.Gone.self) { try file.check() }
            #expect(gone?.description.hasPrefix("The ledger \(path) was removed or replaced") == true)
        }
    }

    @Test func aFileThatTheDaemonRemovesIsNotReported() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/till.sock"
            let socket = try ListeningSocket(path: path, isOpenToOthers: false)
            defer { close(socket.descriptor) }
            try socket.name.check()
            socket.remove()
            try socket.name.check()
        }
    }

    @Test func aCommitIsNotAnsweredOnceAFileIsGone() async throws {
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/ledger"
            try Data().write(to: URL(filePath: path))
            let socket = try WatchedFile(directory, "The socket")
            let watch = FileWatch(durable: [try WatchedFile(path, "The ledger")], socket: socket)
            let ledger = WatchedLedger(ledger: try SQLiteLedger.inMemory(), watch: watch)
            #expect(try await ledger.commit { _ in 1 } == 1)
            try FileManager.default.removeItem(atPath: path)
            await #expect(throws: WatchedFile.Gone.self) { try await ledger.commit { _ in 1 } }
        }
    }

    /// SQLite's own error says only that it cannot open a file.
    @Test func aFailureAfterAFileIsGoneNamesTheFile() async throws {
        struct Unopened: Error {}
        try await withTemporaryDirectory { directory in
            let path = "\(directory)/ledger"
            try Data().write(to: URL(filePath: path))
            let socket = try WatchedFile(directory, "The socket")
            let watch = FileWatch(durable: [try WatchedFile(path, "The ledger")], socket: socket)
            let ledger = WatchedLedger(ledger: try SQLiteLedger.inMemory(), watch: watch)
            await #expect(throws: Unopened.self) { try await ledger.read { _ in throw Unopened() } }
            await #expect(throws: Unopened.self) { try await ledger.commit { _ in throw Unopened() } }
            try FileManager.default.removeItem(atPath: path)
            await #expect(throws: WatchedFile.Gone.self) { try await ledger.read { _ in throw Unopened() } }
            await #expect(throws: WatchedFile.Gone.self) { try await ledger.commit { _ in throw Unopened() } }
        }
    }
}
