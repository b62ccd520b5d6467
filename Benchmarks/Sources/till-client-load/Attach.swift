import ArgumentParser
import TillClient

struct Attach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect and follow a queue until all that is unfinished was delivered, again and again."
    )

    @OptionGroup var daemon: Daemon

    @Option(help: ArgumentHelp("How often.", valueName: "count"))
    var count = 20

    func run() async throws {
        // The daemon may still be starting.
        _ = try await daemon.queue().status()
        var taken: [Double] = []
        for _ in 0..<count {
            let queue = daemon.queue()
            let before = Moment.now
            for try await change in queue.changes {
                if case .initialDeliveryEnded = change {
                    break
                }
            }
            taken.append((Moment.now - before) / .seconds(1))
            await queue.close()
        }
        taken.sort()
        try Report.printOut(["operations": Double(count), "median": taken[taken.count / 2]])
    }
}
