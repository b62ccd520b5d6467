/// An access list with full access for the owner, read and traverse access for one other user, and no access for anyone
/// else (acl(5)).
struct AccessList: Hashable, Sendable {
    /// The version of the kernel's format: the version is followed by a tag, permissions and an id for each entry, in
    /// this order (https://man7.org/linux/man-pages/man5/acl.5.html).
    private static let version: UInt32 = 2
    private static let nobody = UInt32.max

    private enum Tag: UInt16 {
        case owner = 0x01
        case user = 0x02
        case group = 0x04
        case mask = 0x10
        case others = 0x20
    }

    var reader: UInt32

    var bytes: [UInt8] {
        Self.littleEndian(Self.version) + entry(.owner, 7) + entry(.user, 5, reader) + entry(.group, 0)
            + entry(.mask, 5) + entry(.others, 0)
    }

    private func entry(_ tag: Tag, _ permissions: UInt16, _ identifier: UInt32 = nobody) -> [UInt8] {
        Self.littleEndian(tag.rawValue) + Self.littleEndian(permissions) + Self.littleEndian(identifier)
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
