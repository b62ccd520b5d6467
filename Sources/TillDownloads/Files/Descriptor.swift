import Glibc
import NIOCore
import TillModel

/// An open file or directory, closed when the last reference is released.
final class Descriptor: Sendable {
    let number: CInt

    /// - Parameter number: The descriptor of an open file; ownership is transferred.
    init(owning number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    func status() -> stat? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? status : nil
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
}

extension Descriptor {
    /// Reads the next bytes into the buffer, which keeps its capacity; empty at the end.
    func read(into buffer: inout ByteBuffer, atMost count: Int) throws {
        buffer.clear()
        _ = try unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            let result = retryingInterruptions { unsafe Glibc.read(number, bytes.baseAddress, min(bytes.count, count)) }
            guard result >= 0 else {
                throw DownloadError.system("Cannot read a file")
            }
            return result
        }
    }

    /// Writes all readable bytes at the current position.
    func write(_ buffer: ByteBuffer) throws {
        try unsafe buffer.withUnsafeReadableBytes { bytes in
            var rest = unsafe bytes
            while unsafe !rest.isEmpty {
                let result = retryingInterruptions { unsafe Glibc.write(number, rest.baseAddress, rest.count) }
                guard result >= 0 else {
                    throw DownloadError.system("Cannot write a file")
                }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(result))
            }
        }
    }

    func write(_ text: String) throws {
        try write(ByteBuffer(string: text))
    }

    /// Reads a small file as text; nil if it is longer than the maximum or not UTF-8.
    func text(atMost maximum: Int) -> String? {
        var buffer = ByteBuffer()
        var text: [UInt8] = []
        repeat {
            guard (try? read(into: &buffer, atMost: maximum + 1)) != nil else {
                return nil
            }
            text.append(contentsOf: buffer.readableBytesView)
        } while buffer.readableBytes > 0 && text.count <= maximum
        return text.count <= maximum ? String(validating: text, as: UTF8.self) : nil
    }

    /// Flushes the written bytes to the disk.
    func synchronize() throws {
        guard fsync(number) == 0 else {
            throw DownloadError.system("Cannot flush a file")
        }
    }
}

extension DownloadError {
    /// Creates the error of a system call that has just failed.
    ///
    /// - Parameter purpose: The purpose of the call, as the start of a sentence.
    static func system(_ purpose: String, errno code: CInt = errno) -> DownloadError {
        let reason: Reason = code == ENOSPC || code == EDQUOT ? .noSpace : .storage
        return DownloadError(reason, "\(purpose): \(unsafe String(cString: strerror(code))).")
    }
}
