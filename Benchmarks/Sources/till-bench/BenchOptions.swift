import ArgumentParser

struct BenchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measure these peers beside Till (comma-separated, all, none).",
            discussion: "Peers: \(Peers.names.joined(separator: ", ")).",
            valueName: "names"
        )
    )
    var peers = "all"

    @Option(help: ArgumentHelp("Measure these scenarios, separated by commas (default: all).", valueName: "names"))
    var scenario = "all"

    @Option(
        help: ArgumentHelp(
            "Use these load sizes, for example 1x1,64x1.",
            discussion: "A size is connections x requests in flight on each; for fan-out, observers x adds in flight.",
            valueName: "sizes"
        )
    )
    var shapes: String?

    @Option(help: ArgumentHelp("Measure each peer this many times.", valueName: "count"))
    var repetitions = 5

    @Option(help: ArgumentHelp("Measure each run for this long.", valueName: "seconds"))
    var seconds = 2.0

    @Option(help: ArgumentHelp("Restore this many purchases in the restore scenario.", valueName: "count"))
    var restored = 100_000

    @Option(help: ArgumentHelp("Fill the scale ledger with this many finished transactions.", valueName: "count"))
    var finished = 1_000_000

    @Option(help: ArgumentHelp("Fill the scale ledger with this many purchases.", valueName: "count"))
    var purchases = 100_000

    @Option(help: ArgumentHelp("Fill the start ledgers with this many open transactions.", valueName: "count"))
    var open = 100_000

    @Option(help: ArgumentHelp("Open this many idle connections in the memory scenario.", valueName: "count"))
    var idle = 480

    @Option(help: ArgumentHelp("Measure this daemon.", valueName: "program"))
    var tilld = ".build/release/tilld"

    @Option(help: ArgumentHelp("Use this catalogue.", valueName: "file"))
    var catalogue = "Sources/till-example/Notes.storekit"

    @Option(help: ArgumentHelp("Keep the peers' states below this directory.", valueName: "dir"))
    var disk = "."

    @Option(
        help: ArgumentHelp("Make each flush of a file take so long, also in memory.", valueName: "milliseconds")
    )
    var slowFlush: Int?

    @Option(help: ArgumentHelp("Also write all figures to this file.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard (1...1000).contains(repetitions) else {
            throw ValidationError("Invalid --repetitions: use 1 to 1000.")
        }
        guard restored > 0, finished >= 0, purchases >= 0, open > 0, (1...500).contains(idle) else {
            throw ValidationError("A count is out of range.")
        }
        guard seconds >= 0.05, seconds <= 600 else {
            throw ValidationError("Invalid --seconds: use 0.05 to 600.")
        }
        guard (1...1000).contains(slowFlush ?? 1) else {
            throw ValidationError("Invalid --slow-flush: use 1 to 1000.")
        }
    }
}
