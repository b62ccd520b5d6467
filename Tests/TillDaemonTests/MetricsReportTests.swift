import Foundation
import Logging
import Testing
import TTRPC
import TillEngine
import TillMetrics
import TillModel
import TillProviders
import TillReceipts
import TillSQLite
import TillTesting
@testable import TillDaemon

/// A daemon's metrics as Prometheus reads them.
@Suite struct MetricsReportTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func withReport(_ body: (MetricsReport, PaymentEngine, SQLiteLedger) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let state = try StateDirectory(path: directory + "/state")
            let registry = MetricsRegistry()
            let ledger = try SQLiteLedger(path: state.ledgerPath, logger: logger)
            let engine = PaymentEngine(
                ledger: ledger,
                catalogue: TestCatalogue(),
                provider: ScriptedProvider(),
                configuration: EngineConfiguration(),
                metrics: EngineMetrics(factory: registry),
                logger: logger
            )
            let receipts = try ReceiptAuthority(environment: .sandbox, date: Date(), logger: logger)
            let report = MetricsReport(registry, engine, receipts, state)
            report.follow(TTRPCServer(logger: logger) { _ in MethodTable() }.statistics)
            try await body(report, engine, ledger)
            try await ledger.close()
        }
    }

    /// With `TILL_METRICS_TEXT` in the environment (`make monitoring`), the text is written to that file too.
    @Test func theTextHasEveryMetricOfTheTable() async throws {
        try await withReport { report, engine, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await engine.run() }
                #expect(await engine.checkWrites())
                engine.stop()
                try await group.waitForAll()
            }
            let text = await report.text()
            let typed = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            #expect(typed.map(String.init) == Metric.all.map { "# TYPE \($0.name) \($0.kind.name)" })
            #expect(text.contains("\ntill_commit_commands_count 1\n"), "the check of the write path is a commit")
            #expect(text.contains("\ntill_build_info{version=\"\(TillVersion.text)\"} 1\n"))
            if let path = ProcessInfo.processInfo.environment["TILL_METRICS_TEXT"] {
                try Data(text.utf8).write(to: URL(filePath: path))
            }
        }
    }

    @Test func aLedgerThatCannotBeReadLeavesOutItsFigures() async throws {
        try await withReport { report, _, ledger in
            try await ledger.close()
            let names = Set(await report.samples().map(\.name))
            #expect(!names.contains(Metric.unfinished.name))
            #expect(names.contains(Metric.residentMemory.name))
            let failures = await report.samples().first { $0.name == Metric.ledgerReadFailures.name }
            #expect(failures?.value == 2)
        }
    }
}
