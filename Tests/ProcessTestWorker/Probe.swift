import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
import TTRPC
import TillModel
import TillWire

/// Calls every method with somebody else's identities, and prints one line for each: the method and the code it was
/// answered with. What was received goes into a file, byte by byte.
struct Probe: AsyncParsableCommand {
    @Option(help: "The daemon's socket; without it, the connection is the standard input.")
    var socket: String?
    @Option var application: String
    @Option(help: "A transaction, and so a payment, of somebody else.")
    var foreign: String
    @Option var received: String

    func run() async throws {
        guard let foreign = UUID(uuidString: foreign) else {
            throw ValidationError("\(foreign) is no UUID.")
        }
        let received = received
        var probe = ProbeConnection(client: try await Self.connect(socket))
        await probe.call(.hello(application))
        for method in ProbeMethod.all(foreign: foreign, observer: 1) {
            await probe.call(method)
        }
        // Whole or not at all, for those who wait for it.
        try Data(probe.received).write(to: URL(filePath: received), options: .atomic)
    }

    static func connect(_ socket: String?) async throws -> TTRPCClient {
        if let socket {
            return try await TTRPCClient.connect(path: socket)
        }
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .withConnectedSocket(FileHandle.standardInput.fileDescriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try TTRPCClient.make(on: channel, limits: TTRPCClient.Limits())
                }
            }
    }
}
