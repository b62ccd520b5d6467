import ArgumentParser

struct BenchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Peers besides Till, separated by commas; all or none.",
            discussion: "Those there are: \(Peers.names.joined(separator: ", ")).",
            valueName: "names"
        )
    )
    var peers = "all"

    @Option(help: ArgumentHelp("Scenarios, separated by commas: \(Plan.scenarioList).", valueName: "names"))
    var scenario = "all"

    @Option(
        help: ArgumentHelp(
            "Sizes of the load in place of each scenario's own, for example 1x1,64x1.",
            discussion: "Connections x requests in flight on each; of fan-out, observers x adds in flight.",
            valueName: "sizes"
        )
    )
    var shapes: String?

    @Option(help: ArgumentHelp("How often each peer is measured.", valueName: "count"))
    var repetitions = 5

    @Option(help: ArgumentHelp("How long a run is measured.", valueName: "seconds"))
    var seconds = 2.0

    @Option(help: ArgumentHelp("Purchases that restore restores.", valueName: "count"))
    var restored = 100_000

    @Option(help: ArgumentHelp("Finished transactions in the full ledger of scale.", valueName: "count"))
    var finished = 1_000_000

    @Option(help: ArgumentHelp("Purchases in the full ledger of scale.", valueName: "count"))
    var purchases = 100_000

    @Option(help: ArgumentHelp("Open transactions in the ledgers of start.", valueName: "count"))
    var open = 100_000

    @Option(help: ArgumentHelp("Idle connections of memory; the daemon allows 512 in all.", valueName: "count"))
    var idle = 480

    @Option(help: ArgumentHelp("The daemon to measure.", valueName: "program"))
    var tilld = ".build/release/tilld"

    @Option(help: ArgumentHelp("What it sells.", valueName: "file"))
    var catalogue = "Sources/till-example/Notes.storekit"

    @Option(help: ArgumentHelp("Where the peers keep their states meanwhile.", valueName: "dir"))
    var disk = "."

    @Flag(help: "Make each flush of a file take a millisecond, also in memory.")
    var slowFlush = false

    @Option(help: ArgumentHelp("Write all figures there, too.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard (1...1000).contains(repetitions) else {
            throw ValidationError("--repetitions is 1 to 1000.")
        }
        guard restored > 0, finished >= 0, purchases >= 0, open > 0, (1...500).contains(idle) else {
            throw ValidationError("A count is too small or too large.")
        }
        guard seconds >= 0.05, seconds <= 600 else {
            throw ValidationError("--seconds is 0.05 to 600.")
        }
    }
}
