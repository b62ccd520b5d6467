import Foundation
import Testing
import TillModel
@testable import TillDaemon

@Suite struct StateDirectoryTests {
    @Test func aNewDirectoryIsForItsOwnerOnly() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/a/b/state"
            _ = try StateDirectory(path: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            _ = try StateDirectory(path: path)
        }
    }

    @Test func aDirectoryThatOthersCanReadIsRefused() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/state"
            _ = try StateDirectory(path: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: path)
            let error = #expect(throws: TillError.self) { try StateDirectory(path: path) }
            #expect(error?.message.contains("chmod 700") == true)
        }
    }

    @Test func aLinkIsRefused() throws {
        try inTemporaryDirectory { directory in
            _ = try StateDirectory(path: "\(directory)/state")
            let link = "\(directory)/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(directory)/state")
            let error = #expect(throws: TillError.self) { try StateDirectory(path: link) }
            #expect(error?.message.contains("not a directory") == true)
        }
    }

    @Test func aFileInTheWayIsRefused() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/state"
            try Data().write(to: URL(filePath: path))
            #expect(throws: TillError.self) { try StateDirectory(path: path) }
            let error = #expect(throws: TillError.self) { try StateDirectory(path: "\(path)/below/state") }
            #expect(error?.message == "Cannot create the directory \(path)/below: Not a directory.")
            #expect(error?.cause == nil, "what is printed is not a sentence")
        }
    }

    @Test func readingALedgerCreatesNothing() async throws {
        try await withTemporaryDirectory { directory in
            for path in ["\(directory)/typo", directory, "/dev/null"] {
                let error = await #expect(throws: TillError.self) {
                    try await LedgerReport.reconcile(stateDirectory: path)
                }
                #expect(error?.code == .notFound)
                #expect(error?.message == "There is no ledger in \(path): name the state directory of a daemon.")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(names.isEmpty)
        }
    }

    @Test func aLockIsHeldByOneAndNamesItsHolder() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/lock"
            var first: FileLock? = try FileLock(path: path, protecting: "The thing")
            let error = #expect(throws: TillError.self) { try FileLock(path: path, protecting: "The thing") }
            #expect(error?.message.contains("The thing is in use by process \(getpid())") == true)
            withExtendedLifetime(first) {}
            first = nil
            _ = try FileLock(path: path, protecting: "The thing")
        }
    }
}
