import Foundation
import TillClient
import TillModel

/// The connection's task: sends the queued items and follows the queue while there are observers.
extension DaemonConnection {
    /// The delay before a failed call is retried. While the daemon is unavailable, the client itself also waits.
    static let pause = Duration.seconds(1)

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await payment in self.payments.items { await self.send(payment) } }
            group.addTask { for await command in self.commands.items { await self.send(command) } }
            group.addTask { await self.watchDeadlines() }
            group.addTask { for await action in self.downloads.items { await self.send(action) } }
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
                // Validated here too, because a payment that is too long cannot be sent to the daemon.
                try payment.validate()
                let transaction = try await client.add(payment)
                guard !transaction.isFinished else {
                    // The store requested a payment that was already bought and finished.
                    await deliver { $0.remove(payment.id) }
                    return
                }
                // Queued in order, because earlier deliveries do not include this payment.
                enqueue { connection in connection.withState { $0.registry.stored(payment.id) } }
                if isRefused(payment.id) {
                    // The delegate refused the payment while it was being sent.
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

    /// Whether the delegate refused to continue the payment in another storefront.
    private func isRefused(_ id: UUID) -> Bool {
        withState { $0.refused.contains(id) }
    }

    private func send(_ command: QueueCommand) async {
        switch command {
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
                    withState { $0.registry.finishingFailed(id) }
                    StandardError.write("A transaction could not be finished: \(error.message)")
                    return
                default:
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// Sends a download command. Observers are notified of its effect; a command for a download of a finished
    /// transaction is ignored.
    private func send(_ action: DownloadAction) async {
        while !Task.isCancelled {
            do throws(TillError) {
                switch action.kind {
                case .start: try await client.start(downloadIDs: [action.id])
                case .pause: try await client.pause(downloadIDs: [action.id])
                case .resume: try await client.resume(downloadIDs: [action.id])
                case .cancel: try await client.cancel(downloadIDs: [action.id])
                }
                return
            } catch {
                switch error.code {
                case .notFound:
                    return
                case .failedPrecondition, .permissionDenied, .invalidArgument, .unimplemented:
                    StandardError.write("A download was not changed: \(error.message)")
                    return
                default:
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    private func beginRestore(_ id: UUID) async {
        // The restore may have timed out while earlier commands were being sent.
        guard let pending = withState({ $0.restores.open[id] }) else {
            return
        }
        do throws(TillError) {
            let restore = try await askWhileBusy { () async throws(TillError) in
                try await client.beginRestore(id: id, applicationUsername: pending.applicationUsername)
            }
            await deliver { connection in
                let hasObservers = !connection.observerList.isEmpty
                if let (pending, end) = connection.withState({
                    $0.restores.join(id, to: restore.id, hasObservers: hasObservers)
                }) {
                    connection.notifyEnd(of: pending, end)
                }
            }
        } catch {
            let failure = error.asStoreKit
            await deliver { $0.restoreFailed(id, failure) }
        }
    }

    private func watchDeadlines() async {
        await withDiscardingTaskGroup { group in
            for await pending in deadlines.items {
                group.addTask { await self.failAtDeadline(pending) }
            }
        }
    }

    /// Fails a restore that does not end before its deadline, whether it is queued, waiting for the daemon's answer, or
    /// running. Without observers the deadline is extended.
    private func failAtDeadline(_ pending: PendingRestore) async {
        let failure = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The restore did not end in time."])
        var deadline = pending.deadline
        while withState({ $0.restores.open[pending.id] != nil }) {
            guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else {
                return
            }
            await deliver { connection in
                if !connection.observerList.isEmpty {
                    connection.restoreFailed(pending.id, failure)
                }
            }
            deadline += client.configuration.restoreTimeout
        }
    }
}

extension DaemonConnection {
    /// Retries with backoff while the daemon is overloaded. All attempts together, with all calls that `ask` makes, end
    /// within one call timeout.
    func askWhileBusy<Answer: Sendable>(
        _ ask: () async throws(TillError) -> Answer
    ) async throws(TillError) -> Answer {
        try await client.inOneTimeout { (deadline) async throws(TillError) in
            var backoff = Backoff()
            var random = SystemRandomNumberGenerator()
            while true {
                do throws(TillError) {
                    return try await ask()
                } catch  where error.code == .resourceExhausted && .now < deadline && !Task.isCancelled {
                    backoff.failed()
                    try? await Task.sleep(for: min(backoff.delay(using: &random), deadline - .now))
                }
            }
        }
    }
}
