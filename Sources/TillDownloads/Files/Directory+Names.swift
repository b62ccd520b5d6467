import Glibc

extension Directory {
    /// How deep removal goes; what is published is less deep, even with what an account may add to its own.
    private static let removalDepthMaximum = 64

    /// The names that are in it, `.` and `..` apart; empty when it cannot be read.
    func names() -> [String] {
        // The stream owns its descriptor, and has its own place in the directory.
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
            // Names that are no UTF-8 are not ours.
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

    /// Removes what has the name, with all that is in it. A link is removed, and never followed.
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
