import Glibc
import ProcessTesting
import Testing
import TillClient

/// The figures of a real daemon, and the view of them.
@Suite(.timeLimit(.minutes(10))) struct MonitoringScenarios {
    private struct TopLine: Decodable {
        var isServing: Bool
        var unfinished: Int
        var unfinishedByWait: [String: Int]
        var oldestUnfinishedSeconds: Double
        var needsReview: Int
        var commitsPerSecond: Double
        var connections: Int
        var residentMemoryBytes: Int
    }

    private struct StatusLine: Decodable {
        struct Figures: Decodable {
            var unfinished: Int
            var commandsWaiting: Int
        }

        var isServing: Bool
        var figures: Figures?
    }

    /// The daemon's metrics by name and values of labels.
    private struct Metrics {
        private var values: [[String]: Double] = [:]

        init(_ shop: Shop) async throws {
            let store = TillOperator(ClientConfiguration(application: "test", socketPath: shop.site.socket))
            for sample in try await store.metrics() {
                values[[sample.name] + sample.labels.map(\.value)] = sample.value
            }
            await store.close()
        }

        subscript(_ name: String, _ labels: String...) -> Double {
            values[[name] + labels] ?? .nan
        }
    }

    @Test func theFiguresMoveWithPurchasesRefusalsAndDeclines() async throws {
        try await Shop.open { shop in
            let start = try await Metrics(shop)
            #expect(start["till_provider_calls_total", "charge", "succeeded"] == 0)
            #expect(start["till_transactions_unfinished", "application"] == 0)
            #expect(start["till_serving"] == 1)

            let bought = try await shop.buy(Notes.coins)
            try await shop.set("provider-decline=\(Notes.pro)")
            try await shop.buy(Notes.pro, exits: 1)
            // Refused before anything is stored: it costs no call.
            try await shop.buy("org.example.unknown", exits: 1)
            // The ledger's figures are at most five seconds old.
            var moved = try await Metrics(shop)
            try await shop.until(
                "the figures of the ledger do not move",
                within: .seconds(30),
                every: .milliseconds(200)
            ) {
                moved = try await Metrics(shop)
                return moved["till_transactions_unfinished", "application"] >= 2
            }
            #expect(moved["till_provider_calls_total", "charge", "succeeded"] == 1)
            #expect(moved["till_provider_calls_total", "charge", "declined"] == 1)
            #expect(moved["till_provider_call_duration_seconds_count", "charge"] == 2)
            #expect(moved["till_commit_commands_sum"] > start["till_commit_commands_sum"] + 2)
            #expect(moved["till_commit_duration_seconds_sum"] > start["till_commit_duration_seconds_sum"])
            #expect(moved["till_rpc_requests_total"] > start["till_rpc_requests_total"])
            #expect(moved["till_commands_refused_total", "waiting_maximum"] == 0)
            #expect(moved["till_needs_review", "charge"] == 0)
            #expect(moved["till_rpc_connections"] == 1)
            #expect(moved["till_metrics_dropped_total"] == 0)
            #expect(moved["process_resident_memory_bytes"] > 1_000_000)
            #expect(moved["process_cpu_seconds_total"] > 0)
            #expect(moved["process_open_fds"] > 5 && moved["process_open_fds"] < moved["process_max_fds"])
            #expect(moved["till_ledger_size_bytes"] > 0 && moved["till_disk_free_bytes"] > 0)
            #expect(
                moved["till_receipt_certificate_end_timestamp_seconds"] > moved["process_start_time_seconds"]
            )
            try await shop.till("finish", bought.id)
        }
    }

    @Test func theFiguresArePrintedOnce() async throws {
        try await Shop.open { shop in
            try await shop.buy(Notes.coins)
            let top: TopLine = try await shop.till("top", "--once").one()
            #expect(top.isServing)
            #expect(top.unfinished == 1)
            #expect(top.unfinishedByWait == ["application": 1])
            #expect(top.oldestUnfinishedSeconds >= 0)
            #expect(top.needsReview == 0)
            #expect(top.commitsPerSecond >= 0)
            #expect(top.connections == 1)
            #expect(top.residentMemoryBytes > 1_000_000)
            let status: StatusLine = try await shop.till("status").one()
            #expect(status.isServing)
            #expect(status.figures?.unfinished == 1)
            #expect(status.figures?.commandsWaiting == 0)
        }
    }

    @Test func theViewIsRefreshedAndTheTerminalIsRestored() async throws {
        try await Shop.open { shop in
            let terminal = try Terminal()
            let top = try shop.startInteractively(["top"], on: terminal)
            try await shop.until("the view is not drawn") { terminal.shown.contains("unfinished   0") }
            try await shop.buy(Notes.coins)
            try await shop.until("the view is not refreshed", within: .seconds(30)) {
                terminal.shown.contains("unfinished   1 (application 1)")
            }
            #expect(!terminal.shown.contains("\u{1B}[?1049l"))
            terminal.type("q")
            #expect(await top.process.exit() == .status(0))
            #expect(terminal.shown.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(terminal.readsLines, "the terminal's mode was not restored")
        }
    }

    @Test func aSignalRestoresTheTerminalToo() async throws {
        try await Shop.open { shop in
            let terminal = try Terminal()
            let top = try shop.startInteractively(["top"], on: terminal)
            try await shop.until("the view is not drawn") { terminal.shown.contains("unfinished") }
            #expect(!terminal.readsLines)
            top.process.signal(SIGINT)
            #expect(await top.process.exit() == .status(0))
            #expect(terminal.shown.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
            #expect(terminal.readsLines)
        }
    }
}
