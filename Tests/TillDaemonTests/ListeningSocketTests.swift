import Foundation
import Glibc
import Testing
import TillModel
@testable import TillDaemon

@Suite struct ListeningSocketTests {
    @Test(arguments: [(false, 0o600), (true, 0o666)])
    func theModeSaysWhoMayConnect(isOpenToOthers: Bool, mode: Int) throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/run/till.sock"
            let socket = try ListeningSocket(path: path, isOpenToOthers: isOpenToOthers)
            defer { close(socket.descriptor) }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
            #expect(attributes[.type] as? FileAttributeType == .typeSocket)
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory)/run").sorted()
            #expect(names == ["till.sock", "till.sock.lock"])
            socket.remove()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// Runs in a process of its own, because all threads of a process share its umask.
    @Test func othersCanTraverseTheDirectoryWithAnyUmask() async {
        await #expect(processExitsWith: .success) {
            umask(0o077)
            try inTemporaryDirectory { directory in
                let path = "\(directory)/run/till.sock"
                let socket = try ListeningSocket(path: path, isOpenToOthers: true)
                defer { close(socket.descriptor) }
                for (path, mode) in [("\(directory)/run", 0o755), (path, 0o666)] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    #expect(attributes[.posixPermissions] as? Int == mode)
                }
            }
        }
    }

    @Test func aDirectoryClosedToOthersIsNamedAndNotChanged() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/run/till.sock"
            try serve(path)
            let socket = try ListeningSocket(path: path, isOpenToOthers: true)
            defer { close(socket.descriptor) }
            #expect(socket.directoryClosedToOthers == "\(directory)/run")
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/run")
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: "\(directory)/run")
            #expect(socket.directoryClosedToOthers == nil)
        }
    }

    @Test func aSocketThatNobodyServesIsReplaced() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/till.sock"
            try serve(path)
            #expect(FileManager.default.fileExists(atPath: path))
            try serve(path)
        }
    }

    @Test func aSocketThatIsServedIsNotReplaced() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/till.sock"
            let socket = try ListeningSocket(path: path, isOpenToOthers: false)
            defer { close(socket.descriptor) }
            let held = #expect(throws: TillError.self) { try ListeningSocket(path: path, isOpenToOthers: false) }
            #expect(held?.message.contains("process \(getpid())") == true)
            // A server without the lock is not replaced either.
            try FileManager.default.removeItem(atPath: path + ".lock")
            let served = #expect(throws: TillError.self) { try ListeningSocket(path: path, isOpenToOthers: false) }
            #expect(served?.message.contains("served by another process") == true)
        }
    }

    @Test func aFileThatIsNotASocketIsNotReplaced() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/till.sock"
            try Data("precious".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: TillError.self) { try ListeningSocket(path: path, isOpenToOthers: false) }
            #expect(error?.message.contains("is not a socket") == true)
            #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
        }
    }

    @Test func aPathThatIsTooLongIsRefused() throws {
        let path = "/tmp/" + String(repeating: "x", count: 99)
        let error = #expect(throws: TillError.self) { try ListeningSocket(path: path, isOpenToOthers: false) }
        #expect(error?.message.contains("must be at most 103 bytes") == true)
    }

    /// Serves the path and exits without removing the socket.
    private func serve(_ path: String) throws {
        let socket = try ListeningSocket(path: path, isOpenToOthers: false)
        close(socket.descriptor)
    }
}
