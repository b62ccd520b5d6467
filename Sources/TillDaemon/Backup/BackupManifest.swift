import Foundation
import TillModel

/// The first member of a backup: what the backup is of.
struct BackupManifest: Hashable, Codable {
    /// The format of the backups that this version writes, and the newest that it reads.
    static let newestFormat = 1

    enum Provider: String, Codable {
        case simulated
        case stripe
    }

    var format = newestFormat
    /// The version of the daemon.
    var till: String
    var ledgerID: UUID
    /// The version of the ledger's tables.
    var schema: Int32
    var date: Date
    var provider: Provider
    /// Whether the keys that sign receipts are included.
    var keys: Bool

    enum CodingKeys: String, CodingKey {
        case format, till
        case ledgerID = "ledger_id"
        case schema, date, provider, keys
    }

    /// The members of the backup, in their order, and those that may be missing: a chain without all of its keys.
    var members: [BackupMember] {
        BackupMember.allCases.filter { member in
            (member != .record || provider == .simulated) && (!BackupMember.keys.contains(member) || keys)
        }
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }

    /// Nil for bytes that are not a manifest; a newer format may have other members.
    static func decode(_ bytes: [UInt8]) -> BackupManifest? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try? decoder.decode(BackupManifest.self, from: Data(bytes))
    }

    /// Only the format, of a manifest of any version.
    static func format(_ bytes: [UInt8]) -> Int? {
        struct Format: Decodable {
            var format: Int
        }
        return (try? JSONDecoder().decode(Format.self, from: Data(bytes)))?.format
    }
}
