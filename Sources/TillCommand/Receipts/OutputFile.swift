import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that a verb writes.
struct OutputFile {
    let path: String

    /// Replaces a regular file as a whole, the one that a link leads to, with its mode and owner kept; writes into what is
    /// none, such as a FIFO or `/dev/stdout`.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        let bytes = Array(bytes)
        let number = openDescriptor.map { LineWriter.write(bytes, to: $0) } ?? writeByName(bytes)
        guard number == 0 else {
            let reason = unsafe String(cString: strerror(number))
            throw CommandFailure(.outputFailed, "\(path) cannot be written: \(reason).")
        }
    }

    /// What the name stands for, when it is one of a descriptor that the process was given (fd(4)): opened anew, a file
    /// would be written from its beginning.
    private var openDescriptor: CInt? {
        switch path {
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default:
            ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix).flatMap { CInt(path.dropFirst($0.count)) }
        }
    }

    /// - Returns: Zero, or the error's number.
    private func writeByName(_ bytes: [UInt8]) -> CInt {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            // A link that leads nowhere stays, and what it names is made.
            let isNew = unsafe lstat(path, &status) != 0
            return isNew ? replace(path, with: bytes, like: nil) : writeInPlace(bytes, O_CREAT)
        }
        guard status.st_mode & S_IFMT == S_IFREG, let target = resolvedPath else {
            return writeInPlace(bytes)
        }
        return replace(target, with: bytes, like: status)
    }

    private var resolvedPath: String? {
        guard let resolved = unsafe realpath(path, nil) else {
            return nil
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// - Parameter status: Of the file that is there, if one is.
    private func replace(_ target: String, with bytes: [UInt8], like status: stat?) -> CInt {
        let directory = target.lastIndex(of: "/").map { target[...$0] } ?? ""
        let temporary = "\(directory).till-\(UUID().uuidString)"
        let mode: mode_t = status == nil ? 0o666 : 0o600
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            // Of a directory that takes no new names, the file may be writable.
            return status == nil ? errno : writeInPlace(bytes)
        }
        guard status.map({ Self.give($0, to: descriptor) }) ?? true else {
            close(descriptor)
            _ = unsafe unlink(temporary)
            return writeInPlace(bytes)
        }
        var number = Self.write(bytes, andClose: descriptor)
        if number == 0, unsafe rename(temporary, target) != 0 {
            number = errno
        }
        if number != 0 {
            _ = unsafe unlink(temporary)
        }
        return number
    }

    /// Gives a new file the owner and the mode of another; false when this user may not.
    private static func give(_ status: stat, to descriptor: CInt) -> Bool {
        fchown(descriptor, status.st_uid, status.st_gid) == 0 && fchmod(descriptor, status.st_mode & 0o7777) == 0
    }

    private func writeInPlace(_ bytes: [UInt8], _ flags: CInt = 0) -> CInt {
        let descriptor = unsafe open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC | flags, 0o666)
        return descriptor >= 0 ? Self.write(bytes, andClose: descriptor) : errno
    }

    private static func write(_ bytes: [UInt8], andClose descriptor: CInt) -> CInt {
        let number = LineWriter.write(bytes, to: descriptor)
        let isClosed = close(descriptor) == 0
        return number == 0 && !isClosed ? errno : number
    }
}
