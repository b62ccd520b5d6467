import Foundation
package import ProcessTesting
import TillClient
import TillEngine
package import TillInvariants

/// An application in this process that buys products whose payments end only after a second query to the provider. It
/// measures how long that takes.
package final class PatientCustomer: Sendable {
    static let application = "org.example.patient"

    private let queue: PaymentQueue
    private let notes = Notes()

    package init(site: Site) {
        queue = site.queue(Self.application)
    }

    /// Adds a payment that times out, calls `action`, and waits for the payment's end.
    ///
    /// - Returns: How long the payment took; nil if it did not end in time.
    package func buy(within limit: Duration, _ action: () throws -> Void) async throws -> Duration? {
        let payment = Payment(productID: TestStore.timeoutBefore[0])
        notes.add(.addIntended(PaymentNote(payment)))
        notes.add(.addAcknowledged(Sighting(try await queue.add(payment))))
        try action()
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

    /// Closes the queue, and returns the customer's history.
    package func history() async -> History {
        await queue.close()
        notes.add(.settled)
        let name = QueueName(application: Self.application, account: Site.account)
        return History(name: "patient customer", queue: name, entries: notes.entries)
    }
}
