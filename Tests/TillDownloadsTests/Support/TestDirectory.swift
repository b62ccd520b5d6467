import Foundation

/// A test's own directory, deleted with the object. Other users may traverse it.
final class TestDirectory: Sendable {
    let path: String

    init() throws {
        // Uses an in-memory file system if available, because the tests flush often but do not test the disk.
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/till-downloads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o711]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String {
        path + "/" + name
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(name)).map(Array.init)
    }

    /// All paths below the directory with their types, for comparison.
    func snapshot(of name: String = "") -> [String: String] {
        Self.snapshot(of: name.isEmpty ? path : path(name))
    }

    static func snapshot(of path: String) -> [String: String] {
        var entries: [String: String] = [:]
        let found = FileManager.default.enumerator(atPath: path)
        while let name = found?.nextObject() as? String {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            let size = attributes?[.size] as? Int ?? -1
            let kind = (attributes?[.type] as? FileAttributeType)?.rawValue ?? "?"
            entries[name] = kind == FileAttributeType.typeRegular.rawValue ? "\(kind) \(size)" : kind
        }
        return entries
    }
}
