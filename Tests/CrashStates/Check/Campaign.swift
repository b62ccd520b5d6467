package import ContentServer
import Foundation
import TillInvariants

/// A recording, and the checks of its disk states.
package struct Campaign: Sendable {
    package struct Options: Sendable {
        /// The number of disk states of each recording.
        package var states: Int
        package var seed: UInt64
        package var jobs: Int
        /// A real daemon also serves one in this many states; 0 serves none.
        package var servedInterval: Int
        /// The directory in which states are written; it is in memory, for speed.
        package var memory: String
        /// The directory that keeps recordings and failures.
        package var kept: String

        package init(
            states: Int,
            seed: UInt64,
            jobs: Int,
            servedInterval: Int,
            memory: String,
            kept: String
        ) {
            self.states = states
            self.seed = seed
            self.jobs = jobs
            self.servedInterval = servedInterval
            self.memory = memory
            self.kept = kept
        }
    }

    package struct Result: Sendable {
        package var recording: Recording
        package var figures: Sweep.Figures
        /// The number of states that the real daemon served.
        package var served: Int
        /// The number of crash points.
        package var places: Int
        package var answers: Int
    }

    private let options: Options
    private let server: ContentServer

    package init(_ options: Options, server: ContentServer) {
        self.options = options
        self.server = server
    }

    /// Makes a recording, and checks the configured number of states.
    package func run() async throws -> Result {
        let directory = "\(options.kept)/recording-\(options.seed)"
        let recording = try await Recorder.record(
            into: directory,
            server: server,
            in: options.memory,
            seed: options.seed
        )
        let result = try await check(recording)
        if result.figures.failures.isEmpty {
            try FileManager.default.removeItem(atPath: directory)
        }
        return result
    }

    private func check(_ recording: Recording) async throws -> Result {
        let log = try recording.log()
        let answers = try Answers(log)
        try recording.requireAnswers(of: answers)
        let plan = Plan(log, answers: answers, states: options.states, seed: options.seed)
        let check = StateCheck(queues: answers.queues, prices: Store.prices, hosted: Store.hosted)
        let sweep = Sweep(
            log: log,
            answers: answers,
            check: check,
            directory: "\(options.memory)/till-states-\(options.seed)",
            kept: recording.directory
        )
        var figures = try await sweep.runAll(plan.items, jobs: options.jobs)
        let served = try await serve(plan.items, log, answers, check, &figures, recording)
        try? FileManager.default.removeItem(atPath: "\(options.memory)/till-states-\(options.seed)")
        return Result(
            recording: recording,
            figures: figures,
            served: served,
            places: Plan.places(log, answers).count,
            answers: answers.places.count
        )
    }

    private func serve(
        _ items: [Plan.Item],
        _ log: OperationLog,
        _ answers: Answers,
        _ check: StateCheck,
        _ figures: inout Sweep.Figures,
        _ recording: Recording
    ) async throws -> Int {
        guard options.servedInterval > 0 else {
            return 0
        }
        var served = 0
        var walk = DiskWalk(log)
        let first = Chance(seed: options.seed).below(options.servedInterval, -7)
        for index in stride(from: first, to: items.count, by: options.servedInterval) {
            let item = items[index]
            walk.advance(to: item.place)
            let state = walk.state(item.variant)
            let outcome = try await ServedState.settle(
                state,
                histories: answers.histories(before: item.place),
                check: check,
                server: server,
                in: options.memory
            )
            served += 1
            if !outcome.findings.isEmpty {
                let place = "\(recording.directory)/served-\(item.place)-\(item.variant)"
                try Sweep.write(state, to: place)
                figures.failures.append(
                    Sweep.Failure(item: item, findings: outcome.findings, directory: place)
                )
            }
        }
        return served
    }
}

extension Sweep {
    /// Checks the states with several tasks; each task checks a contiguous part of the log.
    package func runAll(_ items: [Plan.Item], jobs: Int) async throws -> Figures {
        let size = max(1, (items.count + jobs - 1) / max(1, jobs))
        return try await withThrowingTaskGroup(of: Figures.self) { group in
            for (number, start) in stride(from: 0, to: items.count, by: size).enumerated() {
                let share = items[start..<min(start + size, items.count)]
                group.addTask { try await run(share, name: "job-\(number)") }
            }
            var figures = Figures()
            for try await part in group {
                figures.add(part)
            }
            return figures
        }
    }
}
