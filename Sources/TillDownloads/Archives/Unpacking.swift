import CSystemCalls
import Glibc
import NIOCore
import TillEngine
import TillModel

/// Unpacks an archive into a new directory that is not visible yet. Files and directories get fixed modes, not those of
/// the archive.
struct Unpacking {
    private static let chunkBytes = 256 * 1024
    private static let fileMode: mode_t = 0o444

    private let target: Directory
    private let limits: ArchiveLimits
    private let archiveBytes: Int64
    private let content: ContentDirectory
    private var tree = EntryTree()
    private var entryCount = 0
    private var bytes: Int64 = 0
    private var made: [String] = []
    private var chunk = ByteBuffer()

    init(into target: Directory, limits: ArchiveLimits, archiveBytes: Int64, content: ContentDirectory) {
        self.target = target
        self.limits = limits
        self.archiveBytes = archiveBytes
        self.content = content
    }

    /// - Returns: The total size of all files.
    /// - Throws: `DownloadError`, or `CancellationError`.
    mutating func run(_ file: Descriptor, as format: ContentSource.Archive) throws -> Int64 {
        let before = unsafe till_begin_utf8()
        defer { unsafe till_end_utf8(before) }
        do {
            let reader = try ArchiveReader(file, as: format)
            while let entry = try reader.next() {
                try Task.checkCancellation()
                try unpack(entry, from: reader)
            }
        } catch let fault as ArchiveFault {
            throw fault.error
        }
        try synchronize()
        return bytes
    }

    private mutating func unpack(_ entry: ArchiveEntry, from reader: ArchiveReader) throws {
        try entry.check()
        let isDirectory = entry.kind == .directory
        let path = try EntryPath(entry.name, isDirectory: isDirectory, limits: limits)
        entryCount += 1
        let missing = try tree.add(path, isDirectory: isDirectory)
        guard max(entryCount, tree.count) <= limits.entriesMaximum else {
            throw ArchiveFault.tooManyEntries
        }
        for steps in missing {
            try makeDirectory(steps)
        }
        if !isDirectory {
            try write(path, from: reader)
        }
    }

    private mutating func makeDirectory(_ steps: [String]) throws {
        guard let name = steps.last else { return }
        _ = try directory(steps.dropLast()).makeFreshDirectory(name, mode: ContentDirectory.openMode)
        made.append(steps.joined(separator: "/"))
    }

    private mutating func write(_ path: EntryPath, from reader: ArchiveReader) throws {
        guard let name = path.steps.last else { return }
        let file = try directory(path.parent).makeFile(name, mode: Self.fileMode)
        made.append(path.steps.joined(separator: "/"))
        while true {
            try Task.checkCancellation()
            try reader.read(into: &chunk, atMost: Self.chunkBytes)
            guard chunk.readableBytes > 0 else { return }
            try count(chunk.readableBytes)
            try file.write(chunk)
        }
    }

    private mutating func count(_ more: Int) throws {
        bytes += Int64(more)
        guard bytes <= limits.bytesMaximum else {
            throw ArchiveFault.tooManyBytes
        }
        let (inflatedMaximum, isEndless) = archiveBytes.multipliedReportingOverflow(by: limits.ratioMaximum)
        guard bytes <= limits.freeBytes || isEndless || bytes <= inflatedMaximum else {
            throw ArchiveFault.tooMuchInflated
        }
        try content.checkSpace(for: Int64(more))
    }

    /// Flushes everything that was unpacked. It runs last, because a refused archive does not need it.
    private func synchronize() throws {
        for path in made {
            try Task.checkCancellation()
            try target.synchronize(path)
        }
        try target.synchronize()
    }

    private func directory(_ steps: ArraySlice<String>) throws -> Directory {
        steps.isEmpty ? target : try target.directory(steps.joined(separator: "/"))
    }
}
