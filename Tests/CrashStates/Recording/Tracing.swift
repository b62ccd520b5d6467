import Foundation
import ProcessTesting

/// How a daemon is watched: by strace, which becomes its grandchild, so that the process that was started is the daemon.
enum Tracing {
    /// Longer than any write.
    private static let stringMaximum = 64 << 20
    private static let calls = [
        "open", "openat", "openat2", "creat", "close", "dup", "dup2", "dup3", "fcntl", "read", "readv", "lseek",
        "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate", "fsync",
        "fdatasync", "sync", "syncfs", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
        "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "mmap", "copy_file_range", "sendfile", "splice", "accept",
        "accept4", "recvfrom", "recvmsg", "sendto", "sendmsg", "io_uring_setup",
    ]

    /// The options of strace, which writes to the file.
    static func arguments(output: String) -> [String] {
        let mutant = ProcessInfo.processInfo.environment["TILL_MUTANT"].map { ["-E", "TILL_MUTANT=\($0)"] } ?? []
        return ["-D", "-f", "-q", "--seccomp-bpf", "-s", "\(stringMaximum)", "-e", "signal=none"]
            + ["-e", "trace=\(calls.joined(separator: ","))", "-o", output] + mutant + ["--"]
    }

    /// Waits until strace has written the end of the process, which comes after everything else of it.
    static func waitForEnd(of process: Int32, in output: String) async throws {
        let end = Array("\n\(process) ".utf8)
        for _ in 0..<waitsMaximum {
            if let tail = try? tail(of: output), let place = tail.lastRange(of: end),
                tail[place.upperBound...].drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "+++".utf8)
            {
                return
            }
            await Alarm.after(.milliseconds(5))
        }
        throw TraceError("strace did not write the end of process \(process) to \(output).")
    }

    private static let waitsMaximum = 4000

    private static func tail(of path: String) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        let length = try file.seekToEnd()
        try file.seek(toOffset: length - min(length, 16_384))
        return [UInt8](try file.readToEnd() ?? Data())
    }
}

extension [UInt8] {
    fileprivate func lastRange(of pattern: [UInt8]) -> Range<Int>? {
        ranges(of: pattern).last
    }
}
