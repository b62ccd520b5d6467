import ArgumentParser
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An input file of a verb, or the standard input.
struct InputFile {
    static let standardInput = "-"

    let path: String

    /// Reads the whole file.
    ///
    /// - Throws: `CommandFailure` if the file cannot be read, is empty, or exceeds `maximum` bytes.
    func bytes(maximum: Int) throws(CommandFailure) -> [UInt8] {
        let name = path == Self.standardInput ? "The standard input" : path
        let data: Data?
        do {
            let isInput = path == Self.standardInput
            let handle = isInput ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
            data = try handle.read(upToCount: maximum + 1)
        } catch {
            throw CommandFailure(.badData, "\(name) cannot be read.")
        }
        guard let data, !data.isEmpty else {
            throw CommandFailure(.badData, "\(name) is empty.")
        }
        guard data.count <= maximum else {
            throw CommandFailure(.badData, "\(name) exceeds the limit of \(maximum) bytes.")
        }
        return Array(data)
    }
}

/// The option to write a document to a file.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to this file and print nothing.", valueName: "file"),
        completion: .file()
    )
    var path: String?

    var file: OutputFile? {
        path.map { OutputFile(path: $0) }
    }
}

/// An output file of a verb.
struct OutputFile {
    let path: String

    /// Replaces a regular file as a whole, and keeps its mode and owner. If the path is a link, its target is replaced.
    /// Anything else, such as a FIFO or `/dev/stdout`, is written in place.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        let bytes = Array(bytes)
        let number = openDescriptor.map { LineWriter.write(bytes, to: $0) } ?? writeByName(bytes)
        guard number == 0 else {
            let reason = unsafe String(cString: strerror(number))
            throw CommandFailure(.outputFailed, "\(path) cannot be written: \(reason).")
        }
    }

    /// The inherited descriptor that the path names (fd(4)), if any. If its file were reopened instead, the output would
    /// overwrite the file's beginning.
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
            // A link without a target stays, and its target is created.
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

    /// - Parameter status: The status of the existing file, or nil.
    private func replace(_ target: String, with bytes: [UInt8], like status: stat?) -> CInt {
        let directory = target.lastIndex(of: "/").map { target[...$0] } ?? ""
        let temporary = "\(directory).till-\(UUID().uuidString)"
        let mode: mode_t = status == nil ? 0o666 : 0o600
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            // In a directory without write permission, the file itself may be writable.
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

    /// Gives a new file the owner and the mode of another file. Returns false if this user may not.
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
