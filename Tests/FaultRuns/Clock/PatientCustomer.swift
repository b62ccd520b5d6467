import Foundation
package import ProcessTesting
import TillClient
import TillEngine
package import TillInvariants

/// An application in this process, which buys what only a second question to the provider brings to its end, and
/// measures how long that takes.
package final class PatientCustomer: Sendable {
    static let application = "org.example.patient"

    private let queue: PaymentQueue
    private let notes = Notes()

    package init(site: Site) {
        queue = site.queue(Self.application)
    }

    /// Adds a payment that times out, does `meanwhile`, and waits for its end.
    ///
    /// - Returns: How long it took; nil when it did not end in time.
    package func buy(within limit: Duration, _ meanwhile: () throws -> Void) async throws -> Duration? {
        let payment = Payment(productID: TestStore.timeoutBefore[0])
        notes.add(.addIntended(PaymentNote(payment)))
        notes.add(.addAcknowledged(Sighting(try await queue.add(payment))))
        try meanwhile()
        let start = ContinuousClock.now
        while .now - start < limit {
            let found = try await queue.allTransactions.first { $0.id == payment.id }
            if let found, found.state.isFinal {
                notes.add(.finishIntended(id: found.id))
                try await queue.finish(found)
                notes.add(.finishAcknowledged(id: found.id))
                return .now - start
            }
            await Alarm.after(.milliseconds(50))
        }
        return nil
    }

    /// What it noted, with its queue closed.
    package func history() async -> History {
        await queue.close()
        notes.add(.settled)
        let name = QueueName(application: Self.application, account: Site.account)
        return History(name: "patient customer", queue: name, entries: notes.entries)
    }
}
