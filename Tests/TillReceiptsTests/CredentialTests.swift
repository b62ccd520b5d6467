import Foundation
import Testing
import TillEngine
import TillModel
@testable import TillReceipts

/// A chain from the service manager's credentials.
@Suite struct CredentialTests {
    private static let roles = ["root", "intermediate", "leaf"]

    @Test func aChainOfCredentialsReplacesTheDirectorys() async throws {
        try await inTemporaryDirectory { directory in
            let credentials = try Self.credentials(in: directory)
            let authority = try Self.open(directory, credentials)
            let original = try AuthorityFileTests.open("\(directory)/made")
            #expect(authority.rootCertificate == original.rootCertificate)
            #expect(try authority.sign(Samples.facts()).header == original.sign(Samples.facts()).header)
            #expect(!FileManager.default.fileExists(atPath: "\(directory)/receipts"), "nothing is made beside it")
        }
    }

    @Test func withoutCredentialsTheDirectoryIsUsed() async throws {
        try await inTemporaryDirectory { directory in
            let credentials = try Self.credentials(in: directory)
            for role in Self.roles {
                try FileManager.default.removeItem(atPath: "\(credentials)/till-receipt-\(role)")
            }
            _ = try Self.open(directory, credentials)
            #expect(FileManager.default.fileExists(atPath: "\(directory)/receipts/leaf.pem"))
        }
    }

    @Test(arguments: roles)
    func aMissingCredentialIsNamedAndNotCreated(role: String) async throws {
        try await inTemporaryDirectory { directory in
            let credentials = try Self.credentials(in: directory)
            try FileManager.default.removeItem(atPath: "\(credentials)/till-receipt-\(role)")
            let error = #expect(throws: TillError.self) { try Self.open(directory, credentials) }
            #expect(error?.message.contains("till-receipt-\(role) is missing") == true)
            #expect(!FileManager.default.fileExists(atPath: "\(credentials)/till-receipt-\(role)"))
        }
    }

    @Test(arguments: roles)
    func aCredentialThatOthersCanReadIsRefused(role: String) async throws {
        try await inTemporaryDirectory { directory in
            let credentials = try Self.credentials(in: directory)
            let path = "\(credentials)/till-receipt-\(role)"
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
            let error = #expect(throws: TillError.self) { try Self.open(directory, credentials) }
            #expect(error?.message.contains("chmod 600 \(path)") == true)
        }
    }

    private static func open(_ directory: String, _ credentials: String) throws -> ReceiptAuthority {
        try ReceiptAuthority(
            directory: "\(directory)/receipts",
            credentials: credentials,
            environment: .sandbox,
            date: Samples.date,
            logger: Samples.quiet
        )
    }

    /// Creates credentials like systemd: files owned by root with an access list entry for one user, whose mask appears
    /// as the group's permission.
    private static func credentials(in directory: String) throws -> String {
        _ = try AuthorityFileTests.open("\(directory)/made")
        let credentials = "\(directory)/credentials"
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false)
        for role in roles {
            let path = "\(credentials)/till-receipt-\(role)"
            try FileManager.default.copyItem(atPath: "\(directory)/made/\(role).pem", toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: path)
        }
        return credentials
    }
}
