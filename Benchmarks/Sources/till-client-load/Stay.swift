import ArgumentParser
import Foundation
import Glibc
import TillClient

struct Stay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect, send Hello, and wait for a signal."
    )

    @Option(help: ArgumentHelp("Connect to this socket.", valueName: "socket"))
    var address: String

    @Option(help: ArgumentHelp("Open this many connections; 0 only sleeps.", valueName: "count"))
    var connections = 0

    @Flag(help: "Follow the queue on each connection.")
    var observes = false

    @Option(help: ArgumentHelp("Connect as several users, starting with this one.", valueName: "id"))
    var firstUser: UInt32?

    @Option(help: ArgumentHelp("Open this many connections per user.", valueName: "count"))
    var connectionsPerUser = 1

    @Option(help: ArgumentHelp("Create this file once all are connected.", valueName: "file"))
    var ready: String

    func run() async throws {
        var queues: [PaymentQueue] = []
        for number in 0..<connections {
            queues.append(try await connect(number))
        }
        try Data().write(to: URL(fileURLWithPath: ready))
        try await withThrowingDiscardingTaskGroup { group in
            for queue in queues where observes {
                group.addTask { for try await _ in queue.changes {} }
            }
            try await Task.sleep(for: .seconds(3600))
        }
    }

    private func connect(_ number: Int) async throws -> PaymentQueue {
        // The kernel records the effective user of the connecting process.
        if let firstUser, seteuid(firstUser + UInt32(number / connectionsPerUser)) != 0 {
            throw LoadError("This program cannot connect as other users: run it as root.")
        }
        let queue = PaymentQueue(ClientConfiguration(application: Daemon.application, socketPath: address))
        _ = try await queue.status()
        if firstUser != nil {
            _ = seteuid(0)
        }
        return queue
    }
}
