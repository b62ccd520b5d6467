import FoundationEssentials
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

extension EngineHarness {
    /// An engine whose store hosts content for `pro`.
    static func hosting(
        _ count: Int = 1,
        ledger: any Ledger = MemoryLedger(),
        time: VirtualTime = VirtualTime(),
        configure: (inout EngineConfiguration) -> Void = { _ in }
    ) -> EngineHarness {
        let catalogue = TestCatalogue()
        catalogue.host(count, for: "pro")
        return EngineHarness(ledger: ledger, time: time, catalogue: catalogue, configure: configure)
    }

    /// All downloads of the queue.
    func downloads(in name: QueueName = notes) async throws -> [Download] {
        try await engine.downloads(in: name, token: 0).page
    }

    func control(_ command: DownloadCommand, _ downloads: [Download], in name: QueueName = notes) async throws
        -> [Download]
    {
        try await engine.control(command, downloads.map(\.id), in: name)
    }

    /// Waits until a change has brought the download into the state.
    @discardableResult
    func download(_ id: UUID, reaching state: DownloadState, after revision: UInt64 = 0) async throws -> Download {
        let events = try await events(after: revision) { events in
            events.contains { $0.downloads.contains { $0.id == id && $0.state == state } }
        }
        guard let download = events.flatMap(\.downloads).last(where: { $0.id == id && $0.state == state }) else {
            throw TillError(.notFound, "The download never was \(state).")
        }
        return download
    }
}

extension QueueEvent {
    var downloads: [Download] {
        if case .downloadsUpdated(let downloads) = self { downloads } else { [] }
    }
}
