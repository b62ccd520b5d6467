import ArgumentParser
import Foundation
import Glibc

/// Listens as systemd does for `tilld.socket`, and starts a daemon with the socket. At SIGUSR1 it replaces the daemon by
/// another, and at SIGTERM it stops it; each time the daemon gets SIGTERM first, and ends before the next one starts.
struct KeepSocket: AsyncParsableCommand {
    @Option var socket: String
    @Argument(parsing: .captureForPassthrough) var command: [String]

    func run() async throws {
        let signals = Pipe()
        let sources = [SIGUSR1, SIGTERM].map { number in
            // The source gets the signal instead.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { signals.fileHandleForWriting.write(Data([UInt8(number)])) }
            source.activate()
            return source
        }
        let keeper = SocketKeeper(socket: socket, command: command)
        try await withCheckedThrowingContinuation { continuation in
            // A daemon is killed when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG). Threads of Swift's pool
            // end when they are idle.
            Thread {
                continuation.resume(with: Result { try keeper.keep(following: signals.fileHandleForReading) })
            }
            .start()
        }
        withExtendedLifetime(sources) {}
    }
}

/// The socket, and the command of the daemons behind it.
private struct SocketKeeper {
    /// sd_listen_fds(3).
    private static let passed: CInt = 3
    private static let backlog: CInt = 4096
    /// Only the process that the variable names takes the socket. The daemon does not outlive a worker that is killed.
    private static let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec setpriv --pdeathsig KILL "$@""#

    let socket: String
    let command: [String]

    /// - Parameter signals: Each byte is the number of a signal.
    func keep(following signals: FileHandle) throws {
        let listening = try listen()
        while true {
            let daemon = try start(with: listening)
            let number = try signals.read(upToCount: 1)?.first.map(CInt.init)
            kill(daemon, SIGTERM)
            var status: CInt = 0
            guard unsafe waitpid(daemon, &status, 0) == daemon, status == 0 else {
                throw ExitCode(1)
            }
            guard number == SIGUSR1 else {
                return
            }
        }
    }

    private func listen() throws -> CInt {
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let bound = unsafe withSocketAddress(socket) { unsafe bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, Self.backlog) == 0 else {
            throw ExitCode(1)
        }
        return descriptor
    }

    private func start(with listening: CInt) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, listening, Self.passed)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // An ignored signal would stay ignored in the daemon.
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments = unsafe (["sh", "-c", Self.script, "sh"] + command).map { unsafe strdup($0) } + [nil]
        var daemon: pid_t = 0
        guard unsafe posix_spawn(&daemon, "/bin/sh", &actions, &attributes, &arguments, environ) == 0 else {
            throw ExitCode(1)
        }
        return daemon
    }
}
