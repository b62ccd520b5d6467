package import ContentServer
import Foundation
import ProcessTesting
import TillClient
import TillEngine
package import TillInvariants
import TillModel

/// Serves a disk state with the real daemon until the applications have settled everything.
package struct ServedState: Sendable {
    private static let limit = Duration.seconds(90)

    private let site: Site
    private let check: StateCheck
    private let histories: [History]

    /// Starts a daemon on the state, and lets applications continue from what they knew.
    ///
    /// - Returns: The findings after everything has settled.
    package static func settle(
        _ state: DiskState,
        histories: [History],
        check: StateCheck,
        server: ContentServer,
        in parent: String
    ) async throws -> StateCheck.Outcome {
        try await Site.with(catalogue: Store.catalogue(), in: parent) { site in
            try Store.prepare(site, server)
            try state.write(to: site.state)
            return try await ServedState(site: site, check: check, histories: histories).settle()
        }
    }

    private func settle() async throws -> StateCheck.Outcome {
        let daemon = try site.startDaemon(Store.daemonOptions)
        do {
            try await site.waitUntilServing()
        } catch {
            return StateCheck.Outcome(findings: [.refused((try? site.log()) ?? "\(error)")])
        }
        var findings: [Finding] = []
        for (number, history) in histories.enumerated() {
            try await waitForDownloads(of: history.queue.application)
            findings += try PublishedContent.all(below: "\(site.state)/content").compactMap { published in
                let isWhole = published.content.map { check.hosted[$0.identifier] == $0 } ?? false
                return isWhole ? nil : .refused("\(published.download.text) is incomplete after all downloads")
            }
            try note(history, number)
            let worker = try start(history, number)
            worker.closeInput()
            let exit = await worker.exit(within: Self.limit)
            if exit != .status(0) {
                let said = (try? String(contentsOfFile: site.path(Self.log(number)), encoding: .utf8)) ?? ""
                findings.append(.refused("\(history.name) did not settle: \(exit), \(said)"))
            }
        }
        daemon.signal(SIGTERM)
        let exit = await daemon.exit()
        if exit != .status(0) {
            findings.append(.refused("the daemon ended with \(exit)"))
        }
        let finalHistories = try histories.indices.map(finalHistory)
        var outcome = await check.check(site.state, histories: finalHistories, at: .settled)
        outcome.findings += findings
        return outcome
    }

    private static func log(_ number: Int) -> String {
        "worker-\(number).log"
    }

    private func path(_ number: Int) -> String {
        site.path("history-\(number).jsonl")
    }

    /// Writes down what an application knows in the application's own format: its intents, and the answers that it
    /// received.
    private func note(_ history: History, _ number: Int) throws {
        let encoder = JSONEncoder()
        var lines = Data()
        var intended: Set<UUID> = []
        for entry in history.entries where entry.fact.isOfWork {
            // A later intent with the same identity was a retry or a conflict.
            if case .addIntended(let payment) = entry.fact, !intended.insert(payment.id).inserted {
                continue
            }
            var entry = entry
            // This time is before everything that the application will do.
            entry.at = 0
            lines += try encoder.encode(entry) + [UInt8(ascii: "\n")]
        }
        try lines.write(to: URL(filePath: path(number)))
    }

    private func finalHistory(_ number: Int) throws -> History {
        var history = histories[number]
        history.entries = try History.entries(of: Data(contentsOf: URL(filePath: path(number))))
        return history
    }

    private func start(_ history: History, _ number: Int) throws -> ChildProcess {
        try site.start(
            history.name,
            Binaries.worker,
            [
                "--socket", site.socket, "--application", history.queue.application, "--history", path(number),
                "--seed", "1",
            ],
            log: Self.log(number)
        )
    }

    /// Waits until the active downloads, which the daemon continues by itself, have ended.
    private func waitForDownloads(of application: String) async throws {
        let queue = PaymentQueue(ClientConfiguration(application: application, socketPath: site.socket))
        var isActive = true
        while isActive {
            isActive = false
            for try await download in queue.downloads where download.state == .active {
                isActive = true
            }
            await Alarm.after(.milliseconds(5))
        }
        await queue.close()
    }
}

extension Fact {
    /// Whether an application needs the fact to continue its work.
    fileprivate var isOfWork: Bool {
        switch self {
        case .addIntended, .addAcknowledged, .addRefused, .finishIntended, .finishAcknowledged: true
        default: false
        }
    }
}
