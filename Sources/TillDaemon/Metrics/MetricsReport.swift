import CoreMetrics
import Foundation
import NIOConcurrencyHelpers
import TTRPC
import TillEngine
import TillMetrics
package import TillModel
import TillReceipts

/// The values of all metrics of a daemon, gathered when they are asked for.
package final class MetricsReport: Sendable {
    private let registry: MetricsRegistry
    private let engine: PaymentEngine
    private let receipts: ReceiptAuthority
    private let state: StateDirectory
    private let readFailures: Counter
    /// Nil until the server exists, whose methods show the report.
    private let server = NIOLockedValueBox<TTRPCServer.Statistics?>(nil)

    init(_ registry: MetricsRegistry, _ engine: PaymentEngine, _ receipts: ReceiptAuthority, _ state: StateDirectory) {
        self.registry = registry
        self.engine = engine
        self.receipts = receipts
        self.state = state
        readFailures = Counter(label: Metric.ledgerReadFailures.name, dimensions: [], factory: registry)
    }

    /// Shows the server's figures from now on.
    func follow(_ statistics: TTRPCServer.Statistics) {
        server.withLockedValue { $0 = statistics }
    }

    /// All values in Prometheus's text format; its media type is `ExpositionWriter.contentType`.
    ///
    /// Figures of the ledger are at most five seconds old. They are left out if the ledger cannot be read.
    package func text() async -> String {
        await families().text
    }

    /// The finite values, without the buckets of histograms.
    package func samples() async -> [MetricSample] {
        await families().samples
    }

    private func families() async -> MetricFamilies {
        let figures: LedgerFigures?
        do throws(TillError) {
            figures = try await engine.ledgerFigures()
        } catch {
            readFailures.increment()
            figures = nil
        }
        var families = registry.families
        families.add(.buildInfo, TillVersion.text, value: 1)
        families.add(.serving, value: engine.isServing ? 1 : 0)
        families.add(.certificateEnd, value: receipts.signingCertificateEnd.timeIntervalSince1970.rounded())
        add(engine.activity, figures, to: &families)
        if let server = server.withLockedValue({ $0 }) {
            add(server, to: &families)
        }
        DiskFigures.add(state, to: &families)
        ProcessFigures.add(to: &families)
        return families
    }

    private func add(_ activity: EngineActivity, _ figures: LedgerFigures?, to families: inout MetricFamilies) {
        families.add(.waitingCommands, value: activity.waitingCommands)
        families.add(.attachedAgents, value: activity.attachedAgents)
        families.add(.activeDownloads, value: activity.activeDownloads)
        guard let figures else {
            return
        }
        for wait in UnfinishedWait.allCases {
            let waiting = figures.unfinished[wait]
            let age = waiting?.oldest.map { max(0, activity.date.timeIntervalSince($0)) } ?? 0
            families.add(.unfinished, wait.rawValue, value: waiting?.count ?? 0)
            families.add(.oldestUnfinished, wait.rawValue, value: age)
        }
        for kind in ReviewedWork.allCases {
            families.add(.needsReview, kind.rawValue, value: figures.inReview[kind] ?? 0)
        }
        for kind in DueWork.allCases {
            families.add(.dueWork, kind.rawValue, value: figures.due[kind] ?? 0)
        }
    }

    private func add(_ server: TTRPCServer.Statistics, to families: inout MetricFamilies) {
        let usage = server.usage
        families.add(.connections, value: usage.connections)
        families.add(.streams, value: usage.streams)
        families.add(.frameBytes, value: usage.frameBytes)
        let totals = server.totals
        families.add(.refusedConnections, value: totals.connectionsRefused)
        families.add(.requests, value: totals.requests)
        families.add(.refusedRequests, value: totals.requestsRefused)
    }
}
