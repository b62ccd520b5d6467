import CArchive
import Glibc
import NIOCore
import TillEngine
import TillModel

/// Reads an archive sequentially. Used by one thread, which must have a UTF-8 locale.
@safe final class ArchiveReader {
    /// The block size of libarchive's reads.
    private static let blockBytes = 64 * 1024
    /// The file itself and one compression filter.
    private static let filtersMaximum: CInt = 2

    private let archive: OpaquePointer
    private let format: ContentSource.Archive
    /// Keeps the file open while it is read.
    private let file: Descriptor

    /// - Parameter file: The archive's file, positioned at its start.
    init(_ file: Descriptor, as format: ContentSource.Archive) throws(ArchiveFault) {
        guard let archive = unsafe archive_read_new() else { throw .unreadable }
        unsafe self.archive = archive
        self.format = format
        self.file = file
        switch format {
        case .tar:
            unsafe archive_read_support_format_tar(archive)
            unsafe archive_read_support_filter_gzip(archive)
            unsafe archive_read_support_filter_bzip2(archive)
            unsafe archive_read_support_filter_xz(archive)
        case .zip:
            // Uses the directory at the archive's end, which also marks links.
            unsafe archive_read_support_format_zip_seekable(archive)
        }
        guard unsafe archive_read_open_fd(archive, file.number, Self.blockBytes) == ARCHIVE_OK else {
            throw .unreadable
        }
    }

    deinit {
        unsafe archive_read_free(archive)
    }

    /// The next entry; nil at the end.
    func next() throws(ArchiveFault) -> ArchiveEntry? {
        var entry: OpaquePointer?
        let result = unsafe archive_read_next_header(archive, &entry)
        guard result != ARCHIVE_EOF else { return nil }
        // A warning means that something was not understood or was modified.
        guard result == ARCHIVE_OK, let entry = unsafe entry else { throw .unreadable }
        guard unsafe archive_filter_count(archive) <= Self.filtersMaximum else { throw .compressedTwice }
        return unsafe ArchiveEntry(
            name: Self.name(of: entry),
            kind: Self.kind(of: entry),
            hasSetID: unsafe archive_entry_perm(entry) & (S_ISUID | S_ISGID) != 0,
            isEncrypted: unsafe archive_entry_is_encrypted(entry) != 0
        )
    }

    /// Reads the next bytes of the entry into the buffer, which keeps its capacity; empty at the end.
    func read(into buffer: inout ByteBuffer, atMost count: Int) throws(ArchiveFault) {
        buffer.clear()
        var isBroken = false
        _ = unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            let result = unsafe archive_read_data(archive, bytes.baseAddress, min(bytes.count, count))
            isBroken = result < 0
            return max(result, 0)
        }
        guard !isBroken else { throw .unreadable }
    }

    private static func name(of entry: OpaquePointer) -> [UInt8] {
        guard let name = unsafe archive_entry_pathname(entry) else {
            return []
        }
        return unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    private static func kind(of entry: OpaquePointer) -> ArchiveEntry.Kind {
        guard unsafe archive_entry_hardlink(entry) == nil, unsafe archive_entry_symlink(entry) == nil else {
            return .link
        }
        return switch unsafe archive_entry_filetype(entry) & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .special
        }
    }
}
