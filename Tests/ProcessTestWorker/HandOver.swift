import ArgumentParser
import Foundation
import Glibc

/// Connects, starts a program with the connection, and ends, so that the daemon cannot tell which process connected.
struct HandOver: ParsableCommand {
    @Option var socket: String
    @Argument(parsing: .captureForPassthrough) var command: [String]

    func run() throws {
        let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        let result = unsafe withSocketAddress(socket) { unsafe connect(descriptor, $0, $1) }
        // The child inherits the connection as its standard input.
        guard result == 0, dup2(descriptor, 0) == 0 else {
            throw ExitCode(1)
        }
        // The process that waits for this one watches one of its descriptors, which must close with it.
        for descriptor in CInt(3)..<256 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        guard unsafe posix_spawn(nil, command[0], nil, nil, &arguments, environ) == 0 else {
            throw ExitCode(1)
        }
    }
}
