import CArchive
import Testing

/// Writes tar archives byte by byte, so that they may contain invalid entries.
struct TarBuilder {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - type: `0` is a file, `5` a directory, `1` a hard and `2` a symbolic link, `3` and `4` devices, `6` a pipe.
    ///   - size: The declared size; nil for the content's.
    mutating func add(
        _ name: [UInt8],
        _ content: [UInt8] = [],
        type: Character = "0",
        mode: Int = 0o644,
        target: String = "",
        size: Int? = nil
    ) {
        if name.count > 100 {
            // GNU's extension for long names.
            addHeader(Array("././@LongLink".utf8), "L", 0o644, "", name.count + 1)
            addPadded(name + [0])
        }
        addHeader(Array(name.prefix(100)), type, mode, target, size ?? content.count)
        addPadded(content)
    }

    mutating func add(_ name: String, _ content: [UInt8] = [], type: Character = "0", mode: Int = 0o644) {
        add(Array(name.utf8), content, type: type, mode: mode)
    }

    func finished() -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: 1024)
    }

    private mutating func addHeader(_ name: [UInt8], _ type: Character, _ mode: Int, _ target: String, _ size: Int) {
        var header = [UInt8](repeating: 0, count: 512)
        func set(_ offset: Int, _ text: [UInt8]) {
            header.replaceSubrange(offset..<offset + text.count, with: text)
        }
        func octal(_ number: Int, _ width: Int) -> [UInt8] {
            let digits = String(number, radix: 8)
            return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
        }
        set(0, name)
        set(100, octal(mode, 7))
        set(108, octal(0, 7))
        set(116, octal(0, 7))
        set(124, octal(size, 11))
        set(136, octal(0, 11))
        set(148, Array("        ".utf8))
        set(156, Array(type.utf8))
        set(157, Array(target.utf8))
        set(257, Array("ustar".utf8) + [0] + Array("00".utf8))
        set(148, octal(header.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20])
        bytes += header
    }

    private mutating func addPadded(_ content: [UInt8]) {
        bytes += content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
}

/// Writes zip archives byte by byte, with stored entries, so that they may contain invalid entries.
struct ZipBuilder {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    /// - Parameters:
    ///   - mode: The mode including the file type, as in `stat`.
    ///   - flags: 0x800 means UTF-8 names, 1 an encrypted entry.
    ///   - method: 0 for stored content, 8 for deflated content.
    ///   - length: The length of the uncompressed content.
    ///   - checksum: The checksum of the uncompressed content.
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

/// Compresses with libarchive, which is also used to decompress.
enum Compression: String, CaseIterable, Sendable {
    case gzip
    case bzip2
    case xz

    func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let archive = unsafe archive_write_new(), let entry = unsafe archive_entry_new() else {
            return []
        }
        defer {
            unsafe archive_entry_free(entry)
            unsafe archive_write_free(archive)
        }
        unsafe archive_write_set_format_raw(archive)
        switch self {
        case .gzip: unsafe archive_write_add_filter_gzip(archive)
        case .bzip2: unsafe archive_write_add_filter_bzip2(archive)
        case .xz: unsafe archive_write_add_filter_xz(archive)
        }
        unsafe archive_entry_set_pathname(entry, "content")
        unsafe archive_entry_set_filetype(entry, 0o100000)
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 10 + 65_536)
        var used = 0
        var results: [CInt] = []
        unsafe output.withUnsafeMutableBytes { room in
            results.append(unsafe archive_write_open_memory(archive, room.baseAddress, room.count, &used))
            results.append(unsafe archive_write_header(archive, entry))
            results.append(
                unsafe archive_write_data(archive, bytes, bytes.count) == bytes.count ? ARCHIVE_OK : ARCHIVE_FATAL
            )
            results.append(unsafe archive_write_close(archive))
        }
        try #require(results.allSatisfy { $0 == ARCHIVE_OK })
        return Array(output.prefix(used))
    }

    /// The deflated data as in a zip archive: gzip's data without the first ten and the last eight bytes.
    static func deflate(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(try Compression.gzip.compress(bytes).dropFirst(10).dropLast(8))
    }
}
