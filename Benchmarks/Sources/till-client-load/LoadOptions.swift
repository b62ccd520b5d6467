import ArgumentParser
import Glibc

/// How big a load is, and how long it is measured.
struct LoadOptions: ParsableArguments {
    /// How long the start and the last answers may take.
    private static let patience = 60.0

    @Option(help: ArgumentHelp("Connections, each with a queue of its own.", valueName: "count"))
    var connections = 1

    @Option(help: ArgumentHelp("Payments at once in each queue.", valueName: "count"))
    var inFlight = 1

    @Option(help: ArgumentHelp("How long to go on before the measuring.", valueName: "seconds"))
    var warmUp = 0.2

    @Option(help: ArgumentHelp("How long to measure.", valueName: "seconds"))
    var seconds = 2.0

    @Option(help: ArgumentHelp("Where the latencies go, each as 32 bits in units of 100 ns.", valueName: "file"))
    var samples: String

    func validate() throws {
        guard connections > 0, inFlight > 0, warmUp >= 0, seconds > 0 else {
            throw ValidationError("A count is 0, or a time too short.")
        }
    }

    /// Has the kernel end the program should it hang.
    func limitTime() {
        alarm(UInt32(warmUp + seconds + Self.patience))
    }

    /// The time that is measured, whose warm-up begins now.
    func period() -> Period {
        Period(warmUp: warmUp, seconds: seconds)
    }

    /// Writes the latencies, and prints how many there are.
    func report(_ latencies: [UInt32]) throws {
        try Samples.write(latencies, to: samples)
        try Report.printOut(["operations": Double(latencies.count), "seconds": seconds])
    }
}
