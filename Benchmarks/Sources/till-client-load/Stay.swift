import ArgumentParser
import Foundation
import Glibc
import TillClient

struct Stay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect, say Hello, and then do nothing until the program is ended."
    )

    @Option(help: ArgumentHelp("The daemon's socket.", valueName: "socket"))
    var address: String

    @Option(help: ArgumentHelp("Connections; 0 for a program that only sleeps.", valueName: "count"))
    var connections = 0

    @Flag(help: "Follow the queue on each.")
    var observes = false

    @Option(help: ArgumentHelp("Come as several users, beginning with this one.", valueName: "id"))
    var firstUser: UInt32?

    @Option(help: ArgumentHelp("Connections of each.", valueName: "count"))
    var connectionsPerUser = 1

    @Option(help: ArgumentHelp("A file to make when all are connected.", valueName: "file"))
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
        // The kernel notes the effective user of who connects.
        if let firstUser, seteuid(firstUser + UInt32(number / connectionsPerUser)) != 0 {
            throw LoadError("This program may not come as other users.")
        }
        let queue = PaymentQueue(ClientConfiguration(application: Daemon.application, socketPath: address))
        _ = try await queue.status()
        if firstUser != nil {
            _ = seteuid(0)
        }
        return queue
    }
}
