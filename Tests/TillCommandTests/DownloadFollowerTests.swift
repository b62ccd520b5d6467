import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
import TillClient
import TillModel
import TillOutput
@testable import TillCommand

/// A follower that reads a sequence of given lists.
@Suite struct DownloadFollowerTests {
    private let console = TestConsole()
    private let pauses = NIOLockedValueBox(0)

    private func follow(
        _ downloads: [Download],
        _ lists: [Result<[Download], TillError>],
        json: Bool = false,
        isInterrupted: Bool = false
    ) async throws {
        var console = console.console
        console.waitForInterruption = { isInterrupted ? .interrupted : await TestConsole.neverInterrupt() }
        console.sleep = { [pauses] duration in
            try Task.checkCancellation()
            #expect(duration == .milliseconds(500))
            pauses.withLockedValue { $0 += 1 }
            // As a pause does, this lets the interruption run on a machine with one processor.
            await Task.yield()
        }
        let rest = NIOLockedValueBox(lists[...])
        let follower = DownloadFollower(console: console, json: json, socketPath: "/s") {
            guard let list = rest.withLockedValue({ $0.popFirst() }) ?? (isInterrupted ? .success(downloads) : nil)
            else {
                throw TillError(.internal, "No list is left.")
            }
            return try list.get()
        }
        try await follower.follow(downloads)
    }

    private func states() -> [String] {
        console.output.values.map { line in
            let words = line.split(separator: " ")
            return "\(words[0]) \(words[2])"
        }
    }

    @Test func eachChangeOfStateIsPrinted() async throws {
        try await follow(
            [.sample(1, .active), .sample(2, .active)],
            [
                .success([.sample(1, .active, received: 7), .sample(2, .active)]),
                .success([.sample(1, .active, received: 9), .sample(2, .paused)]),
                .success([.sample(1, .finished), .sample(2, .active)]),
                .success([.sample(1, .finished), .sample(2, .finished), .sample(3, .failed)]),
            ]
        )
        #expect(
            states() == [
                "level1 active", "level2 active", "level2 paused", "level1 finished", "level2 active",
                "level2 finished",
            ]
        )
        #expect(console.complaints.values.isEmpty)
        #expect(pauses.withLockedValue { $0 } == 4)
    }

    @Test func endedDownloadsAreNotWaitedFor() async throws {
        try await follow([.sample(1, .finished)], [], json: true)
        #expect(console.output.values == [try DownloadLine(download: .sample(1, .finished)).json.text()])
        try await follow([], [])
        #expect(pauses.withLockedValue { $0 } == 0)
    }

    @Test(arguments: [DownloadState.failed, .cancelled])
    func aDownloadThatDoesNotFinishIsAFailure(_ state: DownloadState) async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await follow(
                [.sample(1, .active), .sample(2, .finished)],
                [.success([.sample(1, state), .sample(2, .finished)])]
            )
        }
        #expect(failure?.status == .failed)
        #expect(failure?.message == "1 of 2 downloads did not finish.")
    }

    @Test func aLostConnectionIsReportedOnce() async throws {
        let lost = TillError(.unavailable, "No daemon answers.")
        try await follow(
            [.sample(1, .active)],
            [.failure(lost), .failure(lost), .success([.sample(1, .active)]), .success([.sample(1, .finished)])]
        )
        #expect(
            console.complaints.values == [
                "till: The connection was lost; waiting for the daemon at /s.", "till: Reconnected.",
            ]
        )
        #expect(states() == ["level1 active", "level1 finished"])
    }

    @Test func anotherErrorEndsTheWait() async {
        let error = await #expect(throws: TillError.self) {
            try await follow([.sample(1, .active)], [.failure(TillError(.permissionDenied, "No."))])
        }
        #expect(error?.code == .permissionDenied)
    }

    @Test func downloadsThatDoNotRunAreReported() async throws {
        try await follow(
            [.sample(1), .sample(2, .finished)],
            [.success([.sample(1, .finished), .sample(2, .finished)])]
        )
        let complaint = "till: 1 of 2 downloads are not running; use till downloads start or resume."
        #expect(console.complaints.values == [complaint])
    }

    @Test func anInterruptionEndsOnlyTheWaitAndIsAFailure() async {
        let message = "The downloads continue; till downloads shows their progress."
        await #expect(throws: CommandFailure(.interrupted, message)) {
            try await follow([.sample(1, .active)], [], isInterrupted: true)
        }
        #expect(console.complaints.values.isEmpty)
    }
}
