import ArgumentParser
import TillInvariants
import TillSimulation

@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "till-simulate")

    @Option var first: UInt64 = 1
    @Option var seeds: UInt64 = 1000
    @Option var replay: UInt64?

    func run() throws {
        if let replay {
            let outcome = Simulation.run(seed: replay, keepsTrace: true)
            outcome.trace.forEach { print($0) }
            outcome.violations.forEach { print($0) }
            print(outcome.steps, outcome.digest)
            return
        }
        var bad = 0
        var steps = 0
        var restarts = 0
        let clock = ContinuousClock()
        let start = clock.now
        for seed in first..<(first + seeds) {
            let outcome = Simulation.run(seed: seed)
            steps += outcome.steps
            restarts += outcome.restarts
            if !outcome.violations.isEmpty {
                bad += 1
                if bad <= 10 {
                    print("seed \(seed):")
                    outcome.violations.prefix(5).forEach { print("  ", $0) }
                }
            }
        }
        let time = clock.now - start
        print("bad \(bad) of \(seeds), steps \(steps), restarts \(restarts), \(time)")
    }
}
