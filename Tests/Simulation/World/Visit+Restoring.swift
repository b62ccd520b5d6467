import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Visit {
    private static let look = Duration.milliseconds(300)

    /// Starts a restore, and waits for its end or sometimes cancels it.
    func restore() async {
        restores += 1
        let (number, username) = (restores, username())
        note(.restoreIntended(number: number, username: username))
        guard let begun = await begin(world.newID(), username) else {
            return
        }
        var status = begun
        let (id, queue) = (begun.id, shopper.queue)
        while status.state == .running, !Task.isCancelled {
            await pause(Self.look)
            if world.random.chance(50), !world.isSettling {
                _ = try? await call { (engine) throws(TillError) in try await engine.cancelRestore(id, in: queue) }
            }
            let next = try? await call { (engine) throws(TillError) in
                try await engine.restoreStatus(id, in: queue)
            }
            status = next ?? status
        }
        if status.state == .finished {
            note(.restoreReturned(number: number, count: status.count))
        } else {
            note(.restoreThrew(number: number, reason: status.error?.message ?? "The restore was cancelled."))
        }
    }

    /// Asks for the restore until there is an answer.
    private func begin(_ id: UUID, _ username: String?) async -> RestoreStatus? {
        let queue = shopper.queue
        while !Task.isCancelled {
            do throws(TillError) {
                return try await call { (engine) throws(TillError) in
                    try await engine.restoreCompletedTransactions(id, applicationUsername: username, in: queue)
                }
            } catch  where !error.leavesOutcomeUnknown {
                world.reportViolation("\(shopper.name): a restore was answered \(error)")
                return nil
            } catch {
                continue
            }
        }
        return nil
    }
}
