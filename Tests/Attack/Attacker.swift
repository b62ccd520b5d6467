import NIOCore
import NIOPosix

/// A hostile peer with many connections, which reconnect whenever the daemon closes them.
struct Attacker: Sendable {
    /// The time between two attempts to connect.
    private static let pause = TimeAmount.milliseconds(20)

    let socket: String
    let application: String
    let attack: Attack
    let connections: Int
    let tally = Tally()

    /// Attacks until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<connections {
                group.addTask { await keepOne() }
            }
        }
    }

    private func keepOne() async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        while !Task.isCancelled {
            if let channel = try? await connect(on: loop) {
                await withTaskCancellationHandler {
                    try? await channel.closeFuture.get()
                } onCancel: {
                    channel.close(promise: nil)
                }
            }
            try? await loop.scheduleTask(in: Self.pause) {}.futureResult.get()
        }
    }

    private func connect(on loop: any EventLoop) async throws -> any Channel {
        try await ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: attack.reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = AttackHandler(attack, application: application, tally: tally)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(unixDomainSocketPath: socket)
            .get()
    }
}
