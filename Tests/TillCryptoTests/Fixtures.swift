import Foundation
import Testing
import TillCrypto

/// What `Fixtures/generate` made with the openssl command.
enum Fixtures {
    /// The text that `p256.signature` signs, with the leaf's key of the chain p256.
    static let signedText = "signed by the openssl command"
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: directory.appending(path: name), encoding: .utf8)
    }

    /// A chain's certificates in DER: leaf, intermediate, root.
    static func chainBytes(_ name: String) throws -> [[UInt8]] {
        let certificates = PEM.certificates(in: Array(try text("\(name).chain.pem").utf8)) ?? []
        try #require(certificates.count == 3)
        return certificates
    }

    static func chain(_ name: String) throws -> [Certificate] {
        try chainBytes(name).map { try Certificate(der: $0) }
    }

    static func key(_ name: String) throws -> [UInt8] {
        let document = try #require(PEM.documents(in: try text("\(name).key.pem"))?.first)
        #expect(document.label.hasSuffix(PEM.Document.privateKey))
        return try #require(document.bytes)
    }
}

extension [UInt8] {
    /// All ways to cut the bytes short, the bytes with one more, and the bytes with each bit changed.
    var damaged: [[UInt8]] {
        let shorter = indices.map { Array(self[..<$0]) }
        let changed = indices.flatMap { index in
            (0..<8).map { bit in
                var bytes = self
                bytes[index] ^= 1 << bit
                return bytes
            }
        }
        return shorter + [self + [0]] + changed
    }
}
