import CArchive
import Testing

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
