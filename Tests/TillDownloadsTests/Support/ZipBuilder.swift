/// Writes zip archives byte by byte, with stored entries, so that they may contain invalid entries.
struct ZipBuilder {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// - Parameters: - mode: The mode including the file type, as in `stat`. - flags: 0x800 means UTF-8 names, 1 an
    ///   encrypted entry. - method: 0 for stored content, 8 for deflated content. - length: The length of the
    ///   uncompressed content. - checksum: The checksum of the uncompressed content.
    mutating func add(
        _ name: [UInt8],
        _ content: [UInt8] = [],
        mode: UInt32 = 0o100644,
        flags: UInt16 = 0x800,
        method: UInt16 = 0,
        length: Int? = nil,
        checksum: UInt32? = nil
    ) {
        let offset = bytes.count
        let common =
            number(UInt16(20)) + number(flags) + number(method) + number(UInt32(0x5421_0000))
            + number(checksum ?? Self.checksum(content)) + number(UInt32(content.count))
            + number(UInt32(length ?? content.count)) + number(UInt16(name.count)) + number(UInt16(0))
        bytes += number(UInt32(0x0403_4b50)) + common + name + content
        directory += number(UInt32(0x0201_4b50)) + number(UInt16(0x0314)) + common
        directory += number(UInt16(0)) + number(UInt16(0)) + number(UInt16(0))
        directory += number(mode << 16) + number(UInt32(offset)) + name
        count += 1
    }

    mutating func add(_ name: String, _ content: [UInt8] = [], mode: UInt32 = 0o100644) {
        add(Array(name.utf8), content, mode: mode)
    }

    func finished() -> [UInt8] {
        bytes + directory + number(UInt32(0x0605_4b50)) + number(UInt16(0)) + number(UInt16(0))
            + number(UInt16(count)) + number(UInt16(count)) + number(UInt32(directory.count))
            + number(UInt32(bytes.count)) + number(UInt16(0))
    }

    private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
    }
}
