import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
import TillClient
import TillModel
@testable import TillCommand

/// A wait over lists that are given one after the other.
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
        }
        let rest = NIOLockedValueBox(lists[...])
        let follower = DownloadFollower(console: console, json: json, socketPath: "/s") {
            guard let list = rest.withLockedValue({ $0.popFirst() }) ?? (isInterrupted ? .success(downloads) : nil)
            else {
                throw TillError(.internal, "There was nothing left to wait for.")
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

    @Test func whatIsOverIsNotWaitedFor() async throws {
        try await follow([.sample(1, .finished)], [], json: true)
        #expect(console.output.values == [try DownloadLine(download: .sample(1, .finished)).json()])
        try await follow([], [])
        #expect(pauses.withLockedValue { $0 } == 0)
    }

    @Test(arguments: [DownloadState.failed, .cancelled])
    func aDownloadThatDoesNotFinishIsABadEnd(_ state: DownloadState) async {
        let failure = await #expect(throws: CommandFailure.self) {
            try await follow(
                [.sample(1, .active), .sample(2, .finished)],
                [.success([.sample(1, state), .sample(2, .finished)])]
            )
        }
        #expect(failure?.status == .failed)
        #expect(failure?.message == "1 of 2 downloads did not finish.")
    }

    @Test func aLostDaemonIsToldOnceAndWaitedFor() async throws {
        let lost = TillError(.unavailable, "No daemon answers.")
        try await follow(
            [.sample(1, .active)],
            [.failure(lost), .failure(lost), .success([.sample(1, .active)]), .success([.sample(1, .finished)])]
        )
        #expect(
            console.complaints.values == [
                "till: The connection is lost; waiting for the daemon at /s.", "till: The connection is back.",
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

    @Test func whatNobodyStartedIsTold() async throws {
        try await follow(
            [.sample(1), .sample(2, .finished)],
            [.success([.sample(1, .finished), .sample(2, .finished)])]
        )
        #expect(console.complaints.values == ["till: Not started, or paused: 1 of 2."])
    }

    @Test func anInterruptionEndsTheWaitOnlyAndIsNoGoodEnd() async {
        let message = "This ended the wait and not the downloads; till downloads shows how far they are."
        await #expect(throws: CommandFailure(.interrupted, message)) {
            try await follow([.sample(1, .active)], [], isInterrupted: true)
        }
        #expect(console.complaints.values.isEmpty)
    }
}
