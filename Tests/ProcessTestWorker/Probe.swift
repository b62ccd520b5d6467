import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
import TTRPC
import TillModel
import TillWire

/// Calls every method with identities of another user. It prints one line for each: the method and the code of the
/// answer. All received bytes go into a file.
struct Probe: AsyncParsableCommand {
    @Option(help: "Connect to this socket (default: standard input).")
    var socket: String?
    @Option var application: String
    @Option(help: "Use this transaction of another user.")
    var foreign: String
    @Option var received: String

    func run() async throws {
        guard let foreign = UUID(uuidString: foreign) else {
            throw ValidationError("Invalid UUID \(foreign).")
        }
        let received = received
        var probe = ProbeConnection(client: try await Self.connect(socket))
        await probe.call(.hello(application))
        for method in ProbeMethod.all(foreign: foreign, observer: 1) {
            await probe.call(method)
        }
        // The write is atomic, because another process waits for the file.
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
