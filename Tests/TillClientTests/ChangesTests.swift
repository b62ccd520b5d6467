import FoundationEssentials
import TTRPC
import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ChangesTests {
    @Test func unfinishedTransactionsPrecedeLaterChanges() async throws {
        try await DaemonHarness.run { daemon in
            let before = try await daemon.buy("pro")
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var changes = queue.changes.makeAsyncIterator()
                let initial = try await changes.initialDelivery()
                #expect(initial == [.connection(.connected), .updated([before]), .initialDeliveryEnded])
                try await queue.finish(before)
                #expect(try await changes.next()?.summary == "removed pro")
                let bought = try await queue.purchase(Payment(productID: "coins"))
                #expect(try await changes.changes(throughEndOf: bought.id).last?.transactions.last == bought)
            }
        }
    }

    @Test func aRestartLosesNothingAndRepeatsNothing() async throws {
        try await DaemonHarness.run { daemon in
            var changes = daemon.queue().changes.makeAsyncIterator()
            var seen: [Change] = []
            for product in ["coins", "pro", "themes"] {
                try await daemon.serving { _ in
                    let bought = try await daemon.buy(product)
                    seen += try await changes.changes(throughEndOf: bought.id)
                }
                // No server runs: the harness buys this one directly.
                let missed = try await daemon.buy("season")
                seen += try await changes.changes { $0.summary == "disconnected" }
                try await daemon.serving { _ in
                    seen += try await changes.changes(throughEndOf: missed.id)
                }
                seen += try await changes.changes { $0.summary == "disconnected" }
            }
            let revisions = seen.flatMap(\.transactions).map(\.revision)
            #expect(revisions == Array(Set(revisions)).sorted())
            let final = seen.flatMap(\.transactions).filter(\.state.isFinal).map(\.payment.productID)
            #expect(final == ["coins", "season", "pro", "season", "themes", "season"])
            let connections = seen.map(\.summary).filter { $0.hasSuffix("connected") }
            #expect(connections == Array(repeating: ["connected", "disconnected"], count: 6).flatMap(\.self))
        }
    }

    @Test func aTransactionFinishedDuringABatchIsNotDelivered() async throws {
        try await DaemonHarness.run { daemon in
            let queue = daemon.queue()
            var changes = queue.changes.makeAsyncIterator()
            let first = try await daemon.buy("pro")
            try await daemon.serving { _ in
                _ = try await changes.initialDelivery()
            }
            // No server runs, so that both changes arrive in one batch.
            try await daemon.finish(first)
            let second = try await daemon.buy("coins")
            try await daemon.serving { _ in
                _ = try await changes.changes { $0.summary == "removed pro" }
                try await queue.finish(second)
                #expect(try await changes.next()?.summary == "removed coins")
            }
        }
    }

    @Test func twoSequencesEachGetEverything() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var first = queue.changes.makeAsyncIterator()
                var second = queue.changes.makeAsyncIterator()
                #expect(try await first.initialDelivery().map(\.summary) == ["connected", "initial delivery ended"])
                #expect(try await second.initialDelivery().map(\.summary) == ["connected", "initial delivery ended"])
                let bought = try await queue.purchase(Payment(productID: "coins"))
                #expect(try await first.changes(throughEndOf: bought.id).last?.transactions.last == bought)
                #expect(try await second.changes(throughEndOf: bought.id).last?.transactions.last == bought)
            }
        }
    }

    @Test func leavingASequenceEndsItsStreamAtTheServer() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { server in
                let queue = daemon.queue()
                var streams = 0
                for try await change in queue.changes where change == .initialDeliveryEnded {
                    streams = server.usage.streams
                    break
                }
                #expect(streams > 0)
                while server.usage.streams > 0 {
                    try await Task.yieldUnlessCancelled()
                }
                #expect(server.usage.connections == 1)
            }
        }
    }

    @Test func moreChangesThanTheWindowHoldsAllArrive() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var changes = queue.changes.makeAsyncIterator()
                _ = try await changes.initialDelivery()
                var ids: [UUID] = []
                for _ in 0..<600 {
                    ids.append(try await queue.add(Payment(productID: "nothing")).id)
                }
                let last = ids.last
                let seen = try await changes.changes { $0.transactions.last?.id == last }
                #expect(seen.flatMap(\.transactions).map(\.id) == ids)
            }
        }
    }

    @Test func aForbiddenUserGetsAnError() async throws {
        try await DaemonHarness.run(policy: .nobody) { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                await expect(.permissionDenied) {
                    for try await _ in queue.changes {}
                }
                await expect(.permissionDenied) { try await queue.add(Payment(productID: "coins")) }
                await expect(.permissionDenied) { _ = try await queue.storefront() }
            }
        }
    }

    @Test func closingEndsSequencesAndCalls() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var changes = queue.changes.makeAsyncIterator()
                _ = try await changes.initialDelivery()
                await queue.close()
                #expect(try await changes.next() == nil)
                await expect(.cancelled) { try await queue.add(Payment(productID: "coins")) }
                var later = queue.changes.makeAsyncIterator()
                #expect(try await later.next() == nil)
            }
        }
    }

    @Test func aCancelledTaskEndsItsSequence() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let reached = Gate()
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await change in queue.changes where change == .initialDeliveryEnded {
                            await reached.pass()
                        }
                    }
                    await reached.arrival()
                    group.cancelAll()
                    reached.open()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func callsWithoutADaemonFailInTime() async throws {
        try await DaemonHarness.run { daemon in
            let queue = daemon.queue { $0.callTimeout = .milliseconds(50) }
            let error = await expect(.unavailable) { try await queue.add(Payment(productID: "coins")) }
            #expect(error?.message.contains(daemon.socketPath) == true)
        }
    }

    @Test func aCallWaitsForADaemonThatComesBack() async throws {
        try await DaemonHarness.run { daemon in
            let queue = daemon.queue()
            try await withThrowingTaskGroup(of: Transaction.self) { group in
                group.addTask { try await queue.add(Payment(productID: "coins")) }
                let added = try await daemon.serving { _ in try await group.next() }
                #expect(added?.payment.productID == "coins")
            }
        }
    }
}
