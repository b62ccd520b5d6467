import CSystemCalls
import Glibc
import TillModel

#if MUTANTS
    import Mutants
#endif

/// An open directory. All names are resolved below it, without following links.
///
/// Every name is a single path component that is neither empty, `.` nor `..`: ``FileName`` ensures this for downloads,
/// ``EntryPath`` for archives. Functions that open files also accept several components.
struct Directory: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// - Throws: `DownloadError` if it does not exist, is not a directory, or is a link.
    func directory(_ name: String) throws -> Directory {
        Directory(try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    }

    /// Opens a directory, created if necessary. A new one gets exactly this mode, and its name is flushed.
    func makeDirectory(_ name: String, mode: mode_t) throws -> Directory {
        let isNew = unsafe mkdirat(descriptor.number, name, 0o700) == 0
        guard isNew || errno == EEXIST else {
            throw DownloadError.system("Cannot create the directory \(name)")
        }
        let made = try directory(name)
        if isNew {
            try made.setMode(mode)
            try synchronize()
        }
        return made
    }

    /// Creates an empty directory.
    ///
    /// - Throws: `DownloadError`, also if the name already exists.
    func makeFreshDirectory(_ name: String, mode: mode_t) throws -> Directory {
        guard unsafe mkdirat(descriptor.number, name, 0o700) == 0 else {
            throw DownloadError.system("Cannot create the directory \(name)")
        }
        let made = try directory(name)
        try made.setMode(mode)
        return made
    }

    /// Creates an empty file for writing and reading.
    ///
    /// - Throws: `DownloadError`, also if the name already exists.
    func makeFile(_ name: String, mode: mode_t) throws -> Descriptor {
        let file = try open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard fchmod(file.number, mode) == 0 else {
            throw DownloadError.system("Cannot set the mode of \(name)")
        }
        return file
    }

    /// Opens an existing regular file; nil if it cannot be opened.
    func file(_ name: String, writing: Bool = false) -> Descriptor? {
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK
        guard let file = try? open(name, flags), file.status()?.isRegularFile == true else {
            return nil
        }
        return file
    }

    /// Whether nothing exists at the path below this directory, or a link is in its way; false if this cannot be
    /// determined.
    func lacks(_ path: String) -> Bool {
        let number = unsafe till_open_beneath(descriptor.number, path, O_RDONLY | O_NONBLOCK, 0)
        guard number < 0 else {
            close(number)
            return false
        }
        return [ENOENT, ENOTDIR, ELOOP].contains(errno)
    }

    func rename(_ name: String, to newName: String, in target: Directory) throws {
        guard unsafe renameat(descriptor.number, name, target.descriptor.number, newName) == 0 else {
            throw DownloadError.system("Cannot rename a file to \(newName)")
        }
    }

    /// Creates a second name for the file, so that the first is still available after a crash.
    func link(_ name: String, as newName: String, in target: Directory) throws {
        guard unsafe linkat(descriptor.number, name, target.descriptor.number, newName, 0) == 0 else {
            throw DownloadError.system("Cannot create the name \(newName) for a file")
        }
    }

    /// Flushes the directory's names to the disk.
    func synchronize() throws {
        #if MUTANTS
            if Mutant.noDirectorySync.isPlanted {
                return
            }
        #endif
        guard fsync(descriptor.number) == 0 else {
            throw DownloadError.system("Cannot flush a directory")
        }
    }

    /// Flushes a file or directory to the disk.
    ///
    /// - Parameter path: A path below this directory.
    func synchronize(_ path: String) throws {
        try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).synchronize()
    }

    func setMode(_ mode: mode_t) throws {
        guard fchmod(descriptor.number, mode) == 0 else {
            throw DownloadError.system("Cannot set the mode of a directory")
        }
    }

    private func open(_ name: String, _ flags: CInt, mode: mode_t = 0) throws -> Descriptor {
        let number = unsafe till_open_beneath(descriptor.number, name, flags, mode)
        guard number >= 0 else {
            throw DownloadError.system("Cannot open \(name)")
        }
        return Descriptor(owning: number)
    }
}

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
