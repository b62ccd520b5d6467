import CSystemCalls
import Glibc
import TillModel

#if MUTANTS
    import Mutants
#endif

/// An open directory. All names are looked up beneath it, and no link is followed.
///
/// Every name is a single step that is neither empty, `.` nor `..`: those of downloads by ``FileName``, those of
/// archives by ``EntryPath``. Where something is opened, several steps may come at once.
struct Directory: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// - Throws: `DownloadError` when it is not there, no directory, or a link.
    func directory(_ name: String) throws -> Directory {
        Directory(try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    }

    /// The directory, made if need be. A new one has exactly the mode, and its name is durable.
    func makeDirectory(_ name: String, mode: mode_t) throws -> Directory {
        let isNew = unsafe mkdirat(descriptor.number, name, 0o700) == 0
        guard isNew || errno == EEXIST else {
            throw DownloadError.system("Cannot make the directory \(name)")
        }
        let made = try directory(name)
        if isNew {
            try made.setMode(mode)
            try synchronize()
        }
        return made
    }

    /// A new, empty directory.
    ///
    /// - Throws: `DownloadError` also when the name is taken.
    func makeFreshDirectory(_ name: String, mode: mode_t) throws -> Directory {
        guard unsafe mkdirat(descriptor.number, name, 0o700) == 0 else {
            throw DownloadError.system("Cannot make the directory \(name)")
        }
        let made = try directory(name)
        try made.setMode(mode)
        return made
    }

    /// A new, empty file to write, and to read again.
    ///
    /// - Throws: `DownloadError` also when the name is taken.
    func makeFile(_ name: String, mode: mode_t) throws -> Descriptor {
        let file = try open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        guard fchmod(file.number, mode) == 0 else {
            throw DownloadError.system("Cannot set the mode of \(name)")
        }
        return file
    }

    /// A regular file that is there; nil when there is none that can be opened so.
    func file(_ name: String, writing: Bool = false) -> Descriptor? {
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK
        guard let file = try? open(name, flags), file.status()?.isRegularFile == true else {
            return nil
        }
        return file
    }

    /// Whether nothing is at the path, of steps beneath this directory, or a link is in its way; false also when nobody
    /// can tell.
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
            throw DownloadError.system("Cannot put \(newName) in its place")
        }
    }

    /// Gives the file a second name, so that the first can still serve after a crash.
    func link(_ name: String, as newName: String, in target: Directory) throws {
        guard unsafe linkat(descriptor.number, name, target.descriptor.number, newName, 0) == 0 else {
            throw DownloadError.system("Cannot give the file its name \(newName)")
        }
    }

    /// Makes the directory's names durable.
    func synchronize() throws {
        #if MUTANTS
            if Mutant.noDirectorySync.isPlanted {
                return
            }
        #endif
        guard fsync(descriptor.number) == 0 else {
            throw DownloadError.system("Cannot write a directory to the disk")
        }
    }

    /// Makes the file or directory durable.
    ///
    /// - Parameter path: Steps beneath this directory.
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
