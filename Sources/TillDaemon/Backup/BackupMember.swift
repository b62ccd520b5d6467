import TillModel

/// The members of a backup, in their order in the file.
///
/// A backup is a tar archive in POSIX's ustar format, so that any tar can list and unpack it. Till itself reads only what
/// it writes: these names, each at most once and in this order, regular files of the mode 0600 without an owner. No other
/// header is accepted, so that a member can be neither a link nor a path to somewhere else.
enum BackupMember: String, CaseIterable {
    /// ``BackupManifest``.
    case manifest = "till-backup.json"
    case ledger = "ledger.sqlite"
    /// The simulated provider's record, which is not older than the ledger.
    case record = "simulated-charges.jsonl"
    /// The root certificates of the ledger's receipts, which are public.
    case roots = "root-certificates.pem"
    case rootKey = "receipts/root.pem"
    case intermediateKey = "receipts/intermediate.pem"
    case leafKey = "receipts/leaf.pem"
    /// The SHA-256 of each member above, as sha256sum(1) prints and checks them.
    case sums = "SHA256SUMS"

    static let keys: Set<BackupMember> = [.rootKey, .intermediateKey, .leafKey]

    /// The maximum size of the members that are read into memory.
    static let smallMaximumBytes: UInt64 = 64 << 10

    /// Nil for the members whose size only the disk limits.
    var maximumBytes: UInt64? {
        self == .ledger || self == .record ? nil : Self.smallMaximumBytes
    }

    /// The line about the member in ``sums``.
    func sumLine(_ digest: String) -> String {
        "\(digest)  \(rawValue)\n"
    }
}

/// The header of a member: a block of POSIX's ustar format.
struct TarHeader: Hashable {
    static let blockBytes = 512
    /// The two blocks of zeros that end an archive.
    static let end = [UInt8](repeating: 0, count: 2 * blockBytes)

    private static let checksumField = 148..<156
    /// The largest size that the field has octal digits for; GNU's tar writes larger ones as a binary number.
    private static let octalMaximum: UInt64 = 0o777_7777_7777

    var name: String
    var byteCount: UInt64
    /// Seconds since 1970.
    var date: UInt64

    init(name: String, byteCount: UInt64, date: UInt64) {
        self.name = name
        self.byteCount = byteCount
        self.date = date
    }

    /// Nil for a block that this type does not write.
    init?(_ block: [UInt8]) {
        guard block.count == Self.blockBytes,
            let byteCount = Self.number(block[124..<136]), let date = Self.number(block[136..<148])
        else {
            return nil
        }
        name = String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
        self.byteCount = byteCount
        self.date = date
        guard name.utf8.count <= 100, bytes == block else {
            return nil
        }
    }

    var bytes: [UInt8] {
        var block: [UInt8] = []
        block += Self.field(Array(name.utf8), 100)
        block += Self.octal(0o600, 8) + Self.octal(0, 8) + Self.octal(0, 8)
        block += byteCount <= Self.octalMaximum ? Self.octal(byteCount, 12) : Self.binary(byteCount)
        block += Self.octal(date, 12)
        block += Array(repeating: UInt8(ascii: " "), count: Self.checksumField.count)
        block += Self.field([UInt8(ascii: "0")], 101)
        block += Self.field(Array("ustar".utf8), 6) + Array("00".utf8)
        block += Self.field([], 64) + Self.octal(0, 8) + Self.octal(0, 8)
        block += Self.field([], Self.blockBytes - block.count)
        let sum = block.reduce(0) { $0 + UInt64($1) }
        block.replaceSubrange(Self.checksumField, with: Self.octal(sum, 7) + [UInt8(ascii: " ")])
        return block
    }

    /// The number of zeros that follow a member's bytes.
    static func padding(after byteCount: UInt64) -> Int {
        (blockBytes - Int(byteCount % UInt64(blockBytes))) % blockBytes
    }

    private static func field(_ bytes: [UInt8], _ width: Int) -> [UInt8] {
        Array(bytes.prefix(width)) + Array(repeating: 0, count: max(0, width - bytes.count))
    }

    private static func octal(_ number: UInt64, _ width: Int) -> [UInt8] {
        let digits = Array(String(number, radix: 8).utf8.suffix(width - 1))
        return Array(repeating: UInt8(ascii: "0"), count: width - 1 - digits.count) + digits + [0]
    }

    private static func binary(_ number: UInt64) -> [UInt8] {
        [0x80, 0, 0, 0] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func number(_ field: ArraySlice<UInt8>) -> UInt64? {
        guard field.first != 0x80 else {
            return field.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        return UInt64(String(decoding: field.dropLast(), as: UTF8.self), radix: 8)
    }
}
