import ArgumentParser
import TillClient

struct Lives: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Buy and finish payments until they are removed."
    )

    @OptionGroup var daemon: Daemon
    @OptionGroup var load: LoadOptions

    func run() async throws {
        load.limitTime()
        let queues = (0..<load.connections).map { daemon.queue(of: "\(Daemon.application).\($0)") }
        for queue in queues {
            _ = try await queue.status()
        }
        let period = load.period()
        let inFlight = load.inFlight
        let latencies = try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for queue in queues {
                group.addTask {
                    var living = LivingPayments(queue: queue, period: period)
                    return try await living.run(inFlight: inFlight)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try load.report(latencies)
    }
}
