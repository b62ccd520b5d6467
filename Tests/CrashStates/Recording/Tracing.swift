import Foundation
import ProcessTesting

/// Runs a daemon under strace: strace starts a shell, which starts the daemon.
///
/// If the process that strace started is killed, strace kills itself in the same way, and loses the output that it has
/// not written yet. So the shell outlives the daemon, and reports the daemon's exit as its own status.
enum Tracing {
    /// More than the length of any write.
    private static let stringMaximum = 64 << 20
    private static let calls = [
        "open", "openat", "openat2", "creat", "close", "dup", "dup2", "dup3", "fcntl", "read", "readv", "lseek",
        "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate", "fsync",
        "fdatasync", "sync", "syncfs", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
        "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "mmap", "copy_file_range", "sendfile", "splice", "accept",
        "accept4", "recvfrom", "recvmsg", "sendto", "sendmsg", "io_uring_setup",
    ]

    /// The shell's exit status after a signal has ended the daemon.
    static func status(_ signal: Int32) -> Int32 {
        128 + signal
    }

    /// The options of strace, which writes its trace to `output`.
    static func arguments(output: String) -> [String] {
        let mutant = ProcessInfo.processInfo.environment["TILL_MUTANT"].map { ["-E", "TILL_MUTANT=\($0)"] } ?? []
        return ["-f", "-q", "--seccomp-bpf", "-s", "\(stringMaximum)", "-e", "signal=none"]
            + ["-e", "trace=\(calls.joined(separator: ","))", "-o", output] + mutant + [
                "--", "/bin/sh", "-c", #""$@"; exit $?"#, "sh",
            ]
    }

    /// The process identifier of the running daemon below strace and the shell.
    static func daemon(of strace: ChildProcess) throws -> Int32 {
        guard let shell = try child(of: strace.processID), let daemon = try child(of: shell) else {
            throw TraceError("strace has started no daemon.")
        }
        return daemon
    }

    private static func child(of process: Int32) throws -> Int32? {
        let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return children.split(separator: " ").first.flatMap { Int32($0) }
    }
}
