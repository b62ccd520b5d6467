import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel

/// What each command does to a download in each state.
@Suite struct DownloadCommandTests {
    private static let deadline = Date(timeIntervalSince1970: 1_800_086_400)
    private static let moves: [(DownloadCommand, DownloadState, DownloadState)] = [
        (.start, .waiting, .active), (.start, .failed, .active), (.start, .cancelled, .active),
        (.resume, .paused, .active), (.pause, .active, .paused),
        (.cancel, .waiting, .cancelled), (.cancel, .active, .cancelled), (.cancel, .paused, .cancelled),
    ]

    @Test(arguments: [DownloadCommand.start, .pause, .resume, .cancel], DownloadState.allCases)
    func aCommandFitsSomeStatesAndLeavesOthersAlone(_ command: DownloadCommand, _ state: DownloadState) {
        let record = Self.record(state)
        let expected = Self.moves.first { $0.0 == command && $0.1 == state }?.2
        let changed = command.applied(to: record, deadline: Self.deadline, receivedBytes: 600)
        #expect(changed?.state == expected)
        guard let changed else {
            return
        }
        #expect(changed.deadline == (changed.state == .active ? Self.deadline : nil))
        #expect(changed.run == (changed.state == .active ? 8 : 7))
        #expect(changed.error == nil || changed.state != .active)
    }

    @Test func onlyAPauseKeepsPartialData() {
        func after(_ command: DownloadCommand, _ state: DownloadState, receivedBytes: Int64) -> DownloadRecord? {
            command.applied(to: Self.record(state), deadline: Self.deadline, receivedBytes: receivedBytes)
        }
        #expect(after(.pause, .active, receivedBytes: 600)?.receivedBytes == 600)
        #expect(after(.resume, .paused, receivedBytes: 0)?.receivedBytes == 400)
        #expect(after(.cancel, .paused, receivedBytes: 400)?.receivedBytes == 0)
        let again = after(.start, .failed, receivedBytes: 400)
        #expect(again?.receivedBytes == 0)
        #expect(again?.error == nil)
    }

    private static func record(_ state: DownloadState) -> DownloadRecord {
        DownloadRecord(
            key: 1,
            id: UUID(),
            queue: 1,
            transactionKey: 1,
            transactionID: UUID(),
            productID: "pro",
            content: ProductContent(identifier: "pro.0", version: "1.0", length: 1000),
            sha256: .init(repeating: 0, count: 32),
            state: state,
            receivedBytes: 400,
            run: 7,
            error: state == .failed ? DownloadError(.network, "Nobody answers.") : nil
        )
    }
}
