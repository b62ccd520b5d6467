import Foundation
import TillEngine
import TillModel

@testable import TillDownloads

extension FuzzTarget {
    /// An archive, which is unpacked into a directory. The first byte selects zip or tar.
    static let archive = FuzzTarget("archive") { input in
        guard let kind = input.first, let place = try? ArchivePlace() else { return }
        place.unpack(Array(input.dropFirst()), as: kind % 2 == 0 ? .tar : .zip)
    }
}

/// A directory in memory with the archive, the directory for its content, and nothing else.
private final class ArchivePlace {
    private static let limits: ArchiveLimits = {
        var limits = ArchiveLimits()
        limits.entriesMaximum = 64
        limits.bytesMaximum = 4 << 20
        return limits
    }()

    private let path: String
    private let content: ContentDirectory

    init() throws {
        path = "/dev/shm/till-fuzz-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        content = try ContentDirectory(path: path + "/content", freeSpaceFloor: 0)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func unpack(_ archive: [UInt8], as format: ContentSource.Archive) {
        _ = FileManager.default.createFile(atPath: path + "/content/partial/archive", contents: Data(archive))
        guard let file = content.partial.file("archive"),
            let target = try? content.partial.makeFreshDirectory("new", mode: 0o755)
        else { return }
        var unpacking = Unpacking(
            into: target,
            limits: Self.limits,
            archiveBytes: Int64(archive.count),
            content: content
        )
        let bytes = try? unpacking.run(file, as: format)
        let found = FileManager.default.subpaths(atPath: path) ?? []
        let inside = found.filter { $0.hasPrefix("content/partial/new/") }
        let expected = [
            "content", "content/accounts", "content/partial", "content/partial/archive", "content/partial/new",
        ]
        promise(found.filter { !inside.contains($0) }.sorted() == expected, "nothing is written outside: \(found)")
        promise(inside.count <= Self.limits.entriesMaximum + 1, "the entries are within their limit")
        let size = inside.reduce(0) { $0 + Self.size(path + "/" + $1) }
        promise(size <= Self.limits.bytesMaximum, "the bytes are within their limit")
        promise(bytes.map { $0 == size } ?? true, "the reported number of bytes is unpacked")
    }

    /// The size of a regular file; any other item must be a directory.
    private static func size(_ path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let type = attributes?[.type] as? FileAttributeType
        promise(type == .typeRegular || type == .typeDirectory, "only files and directories are unpacked")
        return type == .typeRegular ? attributes?[.size] as? Int64 ?? 0 : 0
    }
}
