import ArgumentParser
import Glibc

/// The size of a load, and its duration.
struct LoadOptions: ParsableArguments {
    /// The maximum time for the start and the last answers, in seconds.
    private static let patience = 60.0

    @Option(help: ArgumentHelp("Open this many connections, each with its own queue.", valueName: "count"))
    var connections = 1

    @Option(help: ArgumentHelp("Keep this many payments in each queue.", valueName: "count"))
    var inFlight = 1

    @Option(help: ArgumentHelp("Warm up for this long.", valueName: "seconds"))
    var warmUp = 0.2

    @Option(help: ArgumentHelp("Measure for this long.", valueName: "seconds"))
    var seconds = 2.0

    @Option(help: ArgumentHelp("Write latencies here, each 32 bits of 100 ns.", valueName: "file"))
    var samples: String

    func validate() throws {
        guard connections > 0, inFlight > 0, warmUp >= 0, seconds > 0 else {
            throw ValidationError("A count is 0, or a time is too short.")
        }
    }

    /// Has the kernel end the program if it hangs.
    func limitTime() {
        alarm(UInt32(warmUp + seconds + Self.patience))
    }

    /// The measured period, whose warm-up begins now.
    func period() -> Period {
        Period(warmUp: warmUp, seconds: seconds)
    }

    /// Writes the latencies, and prints their number.
    func report(_ latencies: [UInt32]) throws {
        try Samples.write(latencies, to: samples)
        try Report.printOut(["operations": Double(latencies.count), "seconds": seconds])
    }
}
