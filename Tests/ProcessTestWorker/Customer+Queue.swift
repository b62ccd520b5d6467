import FoundationEssentials
import TillClient
import TillInvariants

extension Customer {
    /// Follows the queue, and sometimes starts again from the beginning.
    func follow() async throws {
        var sequence = 0
        while !Task.isCancelled {
            sequence += 1
            journal.note(.observing(sequence: sequence))
            pending.beginSequence()
            try await follow(sequence)
        }
    }

    private func follow(_ sequence: Int) async throws {
        var iterator = queue.changes.makeAsyncIterator()
        var remaining = 20 + random.below(200)
        while remaining > 0 || pending.isSettling {
            remaining -= 1
            let asked = Journal.now
            guard let change = try await iterator.next() else {
                return
            }
            try await handle(change, sequence, asked: asked)
        }
    }

    private func handle(_ change: Change, _ sequence: Int, asked: UInt64) async throws {
        switch change {
        case .updated(let transactions):
            for transaction in transactions {
                journal.note(.delivered(sequence: sequence, asked: asked, Sighting(transaction)))
                pending.deliver(transaction, needsContent: content != nil)
                try await handle(transaction.downloads)
            }
            for transaction in transactions where pending.isFinishable(transaction.id) && random.below(3) == 0 {
                try await finish(transaction.id)
            }
        case .removed(let transactions):
            for transaction in transactions {
                journal.note(.removed(sequence: sequence, Sighting(transaction)))
                pending.remove(transaction.id)
            }
        case .downloadsUpdated(let downloads):
            try await handle(downloads)
        case .revoked(let transactions):
            transactions.forEach { journal.note(.revoked(sequence: sequence, id: $0.id)) }
        case .storePaymentRequested, .storefrontChanged:
            // No operator promotes purchases or moves the store.
            break
        case .restoreFinished(let id, let count):
            journal.note(.restoreEnded(sequence: sequence, restore: id, count: count))
        case .restoreFailed(let id, _):
            journal.note(.restoreEnded(sequence: sequence, restore: id, count: nil))
        case .initialDeliveryEnded:
            journal.note(.initialDeliveryEnded(sequence: sequence))
            pending.completeInitialDelivery()
        case .connection(.connected):
            journal.note(.connected(sequence: sequence))
        case .connection(.disconnected):
            journal.note(.disconnected(sequence: sequence))
            pending.disconnect()
        }
    }

    /// Finishes a transaction that is due, sometimes twice.
    func finishOne() async throws {
        guard let id = random.element(of: pending.finishable) else {
            return
        }
        try await finish(id)
        if random.below(5) == 0 {
            try await finish(id)
        }
    }

    /// Tries to finish a transaction that is not final, or that became final only now.
    func finishTooEarly() async throws {
        if let id = pending.unfinal {
            try await finish(id)
        }
    }

    func finish(_ id: UUID) async throws {
        journal.note(.finishIntended(id: id))
        while true {
            do {
                try await queue.finish(id: id)
                journal.note(.finishAcknowledged(id: id))
                return pending.finish(id)
            } catch {
                guard error.leavesOutcomeUnknown else {
                    return try refuseFinish(id, error)
                }
            }
        }
    }

    /// Accepts a refusal only of a transaction that is not final.
    private func refuseFinish(_ id: UUID, _ error: TillError) throws {
        guard error.code == .failedPrecondition else {
            throw error
        }
        journal.note(.finishRefused(id: id, code: error.code.rawValue))
    }

    func restore() async {
        let number = pending.nextRestore()
        let username = username()
        journal.note(.restoreIntended(number: number, username: username))
        do {
            let count = try await queue.restoreCompletedTransactions(applicationUsername: username)
            journal.note(.restoreReturned(number: number, count: count))
        } catch {
            journal.note(.restoreThrew(number: number, reason: "\(error)"))
        }
    }
}
