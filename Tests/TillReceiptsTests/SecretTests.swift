import Foundation
import Glibc
import Testing
import TillCrypto
import TillModel
@testable import TillReceipts

@Suite struct SecretFileTests {
    @Test(arguments: [
        (SecretFile.Keeper.owner, 0o600, true), (.owner, 0o400, true), (.owner, 0o640, false), (.owner, 0o604, false),
        (.serviceManager, 0o440, true), (.serviceManager, 0o400, true), (.serviceManager, 0o444, false),
        (.serviceManager, 0o460, false),
    ])
    func onlyItsKeeperMayReadIt(_ keeper: SecretFile.Keeper, _ mode: Int, _ isRead: Bool) throws {
        try inTemporaryDirectory { path in
            try write("key", to: path, mode: mode)
            guard !isRead else {
                #expect(try SecretFile.read(path, keptBy: keeper, atMost: 3)?.withText { $0 } == "key")
                return
            }
            let error = #expect(throws: TillError.self) { try SecretFile.read(path, keptBy: keeper, atMost: 3) }
            #expect(error?.message == "\(path) is open to other users; run: chmod 600 \(path)")
        }
    }

    @Test func readingIsLimited() throws {
        try inTemporaryDirectory { path in
            try write("keys", to: path, mode: 0o600)
            let error = #expect(throws: TillError.self) { try SecretFile.read(path, atMost: 3) }
            #expect(error?.message.contains("exceeds the limit") == true)
            #expect(error?.message.contains("keys") == false)
        }
    }

    @Test func aFileIsReadInPiecesInPlace() {
        var bytes = [UInt8](repeating: 0, count: 7)
        let place = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        var offsets: [UInt] = []
        let count = unsafe SecretFile.fill(&bytes) { piece in
            offsets.append(UInt(bitPattern: piece.baseAddress) &- place)
            let count = offsets.count < 3 ? 3 : 0
            for index in 0..<count { unsafe piece[index] = UInt8(offsets.count) }
            return count
        }
        #expect(count == 6)
        #expect(offsets == [0, 3, 6])
        #expect(bytes == [1, 1, 1, 2, 2, 2, 0])
    }

    @Test func aMissingFileIsNil() throws {
        try inTemporaryDirectory { path in
            let found = try SecretFile.read(path, atMost: 3)
            #expect(found == nil)
        }
    }

    @Test func anythingButARegularFileIsRefused() throws {
        try inTemporaryDirectory { path in
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(throws: TillError.self) { try SecretFile.read(path, atMost: 3) }
            try write("key", to: path + ".target", mode: 0o600)
            try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: path + ".target")
            let error = #expect(throws: TillError.self) { try SecretFile.read(path + ".link", atMost: 3) }
            #expect(error?.message.contains("not a link") == true)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserIsRefused() throws {
        try inTemporaryDirectory { path in
            try write("key", to: path, mode: 0o600)
            #expect(unsafe chown(path, 1000, 0) == 0)
            for keeper in [SecretFile.Keeper.owner, .serviceManager] {
                let error = #expect(throws: TillError.self) { try SecretFile.read(path, keptBy: keeper, atMost: 3) }
                #expect(error?.message.contains("run: chown 0 \(path)") == true)
            }
        }
    }

    private func write(_ text: String, to path: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func inTemporaryDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.appending(path: "secret").path)
    }
}

@Suite struct SecretTests {
    private struct Holder {
        var name = "key"
        var secret: Secret
        var list: [Secret]
        var byName: [String: Secret?]
    }

    @Test func printingNeverRevealsASecret() {
        var bytes = Array("canary-9f3e".utf8)
        let secret = Secret(moving: &bytes)
        let holder = Holder(secret: secret, list: [secret], byName: ["a": secret])
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            "\(secret)", secret.description, secret.debugDescription, String(describing: secret),
            String(reflecting: secret), "\(holder)", String(reflecting: holder), "\(Optional(secret) as Any)", dumped,
        ]
        for text in texts {
            #expect(text.contains("redacted"), "\(text)")
            #expect(!text.contains("canary") && !text.contains("99, 97, 110"), "\(text)")
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(secret.withText { $0 } == "canary-9f3e")
        #expect(secret.count == 11)
    }

    @Test func theSourceIsEmptied() {
        var bytes = Array("canary".utf8)
        _ = Secret(moving: &bytes)
        #expect(bytes.isEmpty)
        var none: [UInt8] = []
        #expect(Secret(moving: &none).withText { $0 }.isEmpty)
        var part = Array("canary and more".utf8)
        #expect(Secret(moving: &part, count: 6).withText { $0 } == "canary")
    }
}
