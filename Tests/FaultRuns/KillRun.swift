import Glibc
package import ProcessTesting
package import TestValues

/// Applications that buy from a daemon while both are killed at random moments, and then settle.
package struct KillRun {
    /// The maximum time between two kills, in milliseconds.
    private static let momentMaximum = 600

    package private(set) var crew: Crew
    private var random: SplitMix64

    package init(site: Site, plan: CrewPlan = .standard, random: SplitMix64) throws {
        self.random = random
        crew = try Crew(site: site, plan: plan, seed: random.seed)
    }

    /// Waits for a random moment, kills one or more processes, and restarts them.
    package mutating func round() async throws {
        await moment(upTo: Self.momentMaximum)
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45:
            try await killWorker()
        case ..<75:
            try await killDaemon()
        case ..<95:
            try await killBoth()
        default:
            try await crew.stopDaemon()
            try crew.startDaemon()
        }
    }

    /// Lets everything settle, and stops all processes.
    ///
    /// - Returns: The exits of the applications that did not settle.
    package mutating func settle() async throws -> [UnexpectedExit] {
        try await crew.settle()
    }
}

extension KillRun {
    private mutating func moment(upTo milliseconds: Int) async {
        await Alarm.after(.milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }

    private mutating func killWorker() async throws {
        let number = Int.random(in: crew.workers.indices, using: &random)
        try await crew.kill(crew.workers[number])
        try crew.startWorker(number)
    }

    private mutating func killDaemon() async throws {
        try await crew.kill(crew.daemon)
        if Int.random(in: 0..<4, using: &random) == 0 {
            await moment(upTo: 150)
        }
        try crew.startDaemon()
    }

    /// Kills both at once, and restarts them in either order.
    private mutating func killBoth() async throws {
        let number = Int.random(in: crew.workers.indices, using: &random)
        crew.workers[number].signal(SIGKILL)
        try await crew.kill(crew.daemon)
        try await crew.kill(crew.workers[number])
        if Bool.random(using: &random) {
            try crew.startDaemon()
            try crew.startWorker(number)
        } else {
            try crew.startWorker(number)
            try crew.startDaemon()
        }
    }
}
