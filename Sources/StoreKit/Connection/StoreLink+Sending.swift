import Foundation
import TillClient
import TillModel

/// The link's task: empties the lanes, and follows the queue while there are observers.
extension StoreLink {
    /// How long to wait after a call that failed and is repeated; while the daemon is away the client itself waits.
    static let pause = Duration.seconds(1)

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await payment in self.payments.items { await self.send(payment) } }
            group.addTask { for await order in self.orders.items { await self.send(order) } }
            group.addTask { await self.watchDeadlines() }
            group.addTask { for await order in self.downloads.items { await self.send(order) } }
            group.addTask { await self.follow() }
        }
        await client.close()
    }

    private func send(_ payment: Payment) async {
        while !Task.isCancelled {
            guard !isRefused(payment.id) else {
                await deliver { $0.reject(payment.id, .otherStorefront) }
                return
            }
            do throws(TillError) {
                // The daemon cannot say it of a payment that is longer than what can be sent.
                try payment.validate()
                let transaction = try await client.add(payment)
                guard !transaction.isFinished else {
                    // The store asked for it though it was bought before.
                    await deliver { $0.remove(payment.id) }
                    return
                }
                // In its turn: what was delivered before says nothing of this payment.
                enqueue { link in link.withState { $0.registry.stored(payment.id) } }
                if isRefused(payment.id) {
                    // It was on its way when it was to be taken back.
                    _ = try? await client.cancel(paymentID: payment.id)
                }
                return
            } catch {
                if let rejection = error.rejection(of: payment) {
                    await deliver { $0.reject(payment.id, rejection) }
                    return
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Whether the delegate did not want it to go on in another storefront.
    private func isRefused(_ id: UUID) -> Bool {
        withState { $0.refused.contains(id) }
    }

    private func send(_ order: QueueOrder) async {
        switch order {
        case .finish(let id): await sendFinish(id)
        case .restore(let id): await beginRestore(id)
        }
    }

    private func sendFinish(_ id: UUID) async {
        while !Task.isCancelled {
            do throws(TillError) {
                try await client.finish(id: id)
                await deliver { $0.remove(id) }
                return
            } catch {
                switch error.code {
                case .notFound:
                    await deliver { $0.remove(id) }
                    return
                case .failedPrecondition, .permissionDenied, .invalidArgument:
                    withState { $0.registry.keep(id) }
                    StandardError.write("A transaction could not be finished: \(error.message)")
                    return
                default:
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// Observers are told what comes of it; a download whose transaction is finished is of no use any more.
    private func send(_ order: DownloadOrder) async {
        while !Task.isCancelled {
            do throws(TillError) {
                switch order.command {
                case .start: try await client.start(downloadIDs: [order.id])
                case .pause: try await client.pause(downloadIDs: [order.id])
                case .resume: try await client.resume(downloadIDs: [order.id])
                case .cancel: try await client.cancel(downloadIDs: [order.id])
                }
                return
            } catch {
                switch error.code {
                case .notFound:
                    return
                case .failedPrecondition, .permissionDenied, .invalidArgument, .unimplemented:
                    StandardError.write("A download stays as it is: \(error.message)")
                    return
                default:
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    private func beginRestore(_ id: UUID) async {
        // It may have failed in its time, while what was asked for before it was sent.
        guard let order = withState({ $0.restores.open[id] }) else {
            return
        }
        do throws(TillError) {
            let restore = try await askWhileBusy { () async throws(TillError) in
                try await client.beginRestore(id: id, applicationUsername: order.applicationUsername)
            }
            await deliver { link in
                let isHeard = !link.audience.isEmpty
                if let (order, end) = link.withState({ $0.restores.join(id, to: restore.id, isHeard: isHeard) }) {
                    link.tellEnd(of: order, end)
                }
            }
        } catch {
            let failure = error.asStoreKit
            await deliver { $0.restoreFailed(id, failure) }
        }
    }

    private func watchDeadlines() async {
        await withDiscardingTaskGroup { group in
            for await order in deadlines.items {
                group.addTask { await self.failUnlessEnded(order) }
            }
        }
    }

    /// Has a restore fail whose end does not come in time, wherever it stands: in the lane, at a daemon that does not answer,
    /// or under way. While nobody is there, nobody waits.
    private func failUnlessEnded(_ order: RestoreOrder) async {
        let failure = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The restore did not end in time."])
        var deadline = order.deadline
        while withState({ $0.restores.open[order.id] != nil }) {
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else {
                return
            }
            await deliver { link in
                if !link.audience.isEmpty {
                    link.restoreFailed(order.id, failure)
                }
            }
            deadline += client.configuration.restoreTimeout
        }
    }
}
