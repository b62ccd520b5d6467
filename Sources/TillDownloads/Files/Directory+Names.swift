import Glibc

extension Directory {
    /// The maximum depth of removal. Published content is less deep, even if an account adds directories.
    private static let removalDepthMaximum = 64

    /// The names in the directory, without `.` and `..`; empty if it cannot be read.
    func names() -> [String] {
        // The stream owns a separate descriptor, with its own position in the directory.
        let number = unsafe openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            return []
        }
        guard let stream = unsafe fdopendir(number) else {
            close(number)
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // Names that are not UTF-8 were not created by the daemon.
            if let name, name != ".", name != ".." {
                names.append(name)
            }
        }
        return names
    }

    /// Removes the directory if it is empty.
    func removeIfEmpty(_ name: String) {
        _ = unsafe unlinkat(descriptor.number, name, AT_REMOVEDIR)
    }

    /// Removes a file or a directory with its contents. A link is removed, never followed.
    func removeTree(_ name: String, depth: Int = 0) {
        guard unsafe unlinkat(descriptor.number, name, 0) != 0, errno == EISDIR || errno == EPERM,
            depth < Self.removalDepthMaximum, let inner = try? directory(name)
        else {
            return
        }
        inner.names().forEach { inner.removeTree($0, depth: depth + 1) }
        removeIfEmpty(name)
    }
}
