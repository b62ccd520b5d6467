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
            group.addTask { for await id in self.finishes.items { await self.sendFinish(id) } }
            group.addTask { for await order in self.restores.items { await self.send(order) } }
            group.addTask { for await order in self.downloads.items { await self.send(order) } }
            group.addTask { await self.follow() }
        }
        await client.close()
    }

    private func send(_ payment: Payment) async {
        while !Task.isCancelled {
            do throws(TillError) {
                try await client.add(payment)
                // In its turn: what was delivered before says nothing of this payment.
                enqueue { link in link.withState { $0.registry.stored(payment.id) } }
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

    private func send(_ order: RestoreOrder) async {
        do throws(TillError) {
            let restore = try await client.beginRestore(
                id: order.id,
                applicationUsername: order.applicationUsername
            )
            await deliver { link in
                let isHeard = !link.audience.isEmpty
                if let (order, end) = link.withState({
                    $0.restores.join(order.id, to: restore.id, isHeard: isHeard)
                }) {
                    link.tellEnd(of: order, end)
                }
            }
        } catch {
            let failure = error.asStoreKit
            await deliver { $0.restoreFailed(order.id, failure) }
        }
    }
}
