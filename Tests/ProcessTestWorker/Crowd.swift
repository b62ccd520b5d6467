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
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(socket.utf8)) }
        let end = ContinuousClock.now + .seconds(seconds)
        var descriptors: [CInt] = []
        var count = 0
        while .now < end {
            let descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard descriptor >= 0 else {
                throw ExitCode(EX_OSERR)
            }
            if connect(descriptor, &address) == 0 {
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

    private func connect(_ descriptor: CInt, _ address: inout sockaddr_un) -> CInt {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
