import ArgumentParser
import Glibc

/// Connects repeatedly without sending anything, and keeps the last connections open.
struct Crowd: ParsableCommand {
    @Option var socket: String
    @Option(help: "Keep this many connections open, above one user's limit.")
    var connections = 90
    @Option(help: "Keep connecting for this long.")
    var seconds: Int

    func run() throws {
        let end = ContinuousClock.now + .seconds(seconds)
        var descriptors: [CInt] = []
        var count = 0
        while .now < end {
            let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else {
                throw ExitCode(EX_OSERR)
            }
            if unsafe withSocketAddress(socket, { unsafe connect(descriptor, $0, $1) }) == 0 {
                descriptors.append(descriptor)
                count += 1
            } else {
                // The backlog is full.
                close(descriptor)
                sched_yield()
            }
            if descriptors.count > connections {
                close(descriptors.removeFirst())
            }
        }
        print("connections", count)
    }
}
