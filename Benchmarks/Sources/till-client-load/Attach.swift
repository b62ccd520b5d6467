import ArgumentParser
import TillClient

struct Attach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Repeatedly follow a queue until its initial delivery is complete."
    )

    @OptionGroup var daemon: Daemon

    @Option(help: ArgumentHelp("Repeat this many times.", valueName: "count"))
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
