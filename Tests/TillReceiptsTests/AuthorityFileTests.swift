import Foundation
import Testing
import TillEngine
import TillModel
@testable import TillReceipts

/// The directory of keys and certificates: created, read again, completed, or refused.
@Suite struct AuthorityFileTests {
    static let names = ["root.pem", "intermediate.pem", "leaf.pem"]

    @Test func anEmptyDirectoryIsFilledAndReadAgain() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            let first = try Self.open(path)
            let second = try Self.open(path)
            #expect(first.rootCertificate == second.rootCertificate)
            #expect(try first.sign(Samples.facts()).header == second.sign(Samples.facts()).header)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == Self.names.sorted())
        }
    }

    @Test func onlyTheOwnerCanAccessTheFilesAndTheDirectory() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            #expect(try Self.mode(of: path) == 0o700)
            for name in Self.names {
                #expect(try Self.mode(of: "\(path)/\(name)") == 0o600)
            }
        }
    }

    /// The possible remains of a crash during creation: the first files, and a draft of the next.
    @Test(arguments: 0...2)
    func anIncompleteDirectoryIsCompleted(made: Int) async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            let root = try Self.open(path).rootCertificate
            for name in Self.names[made...] {
                try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            }
            try Data("half".utf8).write(to: URL(filePath: "\(path)/\(Self.names[made]).new"))
            let authority = try Self.open(path)
            #expect(made == 0 || authority.rootCertificate == root, "the root that was made is kept")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == Self.names.sorted())
            _ = try authority.sign(Samples.facts())
        }
    }

    @Test(arguments: ["root.pem", "intermediate.pem", "leaf.pem", ""])
    func filesThatOthersCanAccessAreRefused(name: String) async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            let file = name.isEmpty ? path : "\(path)/\(name)"
            try FileManager.default.setAttributes([.posixPermissions: name.isEmpty ? 0o750 : 0o640], ofItemAtPath: file)
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message == "\(file) is open to other users; run: chmod \(name.isEmpty ? 700 : 600) \(file)")
        }
    }

    @Test(arguments: ["root.pem", "intermediate.pem"])
    func aMissingAuthorityIsRefused(name: String) async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            try FileManager.default.removeItem(atPath: "\(path)/\(name)")
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("\(path)/\(name) is missing") == true)
        }
    }

    @Test(arguments: names)
    func aFileOfAnotherChainIsRefused(name: String) async throws {
        try await inTemporaryDirectory { directory in
            let (own, other) = ("\(directory)/own", "\(directory)/other")
            _ = try Self.open(own)
            _ = try Self.open(other)
            try FileManager.default.removeItem(atPath: "\(own)/\(name)")
            try FileManager.default.copyItem(atPath: "\(other)/\(name)", toPath: "\(own)/\(name)")
            let error = #expect(throws: TillError.self) { try Self.open(own) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("was not issued by the previous certificate") == true)
        }
    }

    @Test(arguments: names, ["", "half of a", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func aDamagedFileIsRefusedWithItsName(name: String, text: String) async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            try Self.write(text, to: "\(path)/\(name)")
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("\(path)/\(name)") == true)
        }
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            let text = String(repeating: "a", count: AuthorityDirectory.fileMaximumBytes + 1)
            try Self.write(text, to: "\(path)/leaf.pem")
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.message.contains("exceeds the limit of 64 KiB") == true)
        }
    }

    @Test func aLinkIsRefused() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            try FileManager.default.moveItem(atPath: "\(path)/leaf.pem", toPath: "\(directory)/leaf.pem")
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/leaf.pem",
                withDestinationPath: "\(directory)/leaf.pem"
            )
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.message.contains("must be a file and not a link") == true)
            try FileManager.default.createSymbolicLink(atPath: "\(directory)/link", withDestinationPath: path)
            #expect(throws: TillError.self) { try Self.open("\(directory)/link") }
        }
    }

    @Test func aKeyOfAnotherCertificateIsRefused() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            _ = try Self.open(path)
            let leaf = try String(contentsOfFile: "\(path)/leaf.pem", encoding: .utf8)
            let root = try String(contentsOfFile: "\(path)/root.pem", encoding: .utf8)
            let certificate = try #require(leaf.ranges(of: "-----BEGIN").last)
            let key = try #require(root.ranges(of: "-----BEGIN").last)
            try Self.write(String(leaf[..<certificate.lowerBound] + root[key.lowerBound...]), to: "\(path)/leaf.pem")
            let error = #expect(throws: TillError.self) { try Self.open(path) }
            #expect(error?.message.contains("a private key that does not belong to its certificate") == true)
        }
    }

    @Test func keysAreNotPrinted() async throws {
        let key = try #require(try ReceiptChain.makeRoot(at: Samples.date).key)
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "redacted" && String(reflecting: key) == "redacted")
        #expect(dumped == "- redacted\n")
    }

    static func open(_ path: String) throws -> ReceiptAuthority {
        try ReceiptAuthority(directory: path, environment: .sandbox, date: Samples.date, logger: Samples.quiet)
    }

    /// Replaces the file with one that only its owner can access.
    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
