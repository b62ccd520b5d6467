import FoundationEssentials
import TillClient
import TillInvariants

extension Customer {
    func buy(_ products: [Product]) async throws {
        let isSeldom = random.below(40) == 0
        guard let product = random.element(of: products.filter { isSeldom == seldom.contains($0.id) }) else {
            return
        }
        let quantity = product.type == .consumable ? 1 + random.below(Payment.quantityRange.upperBound) : 1
        // Sometimes the product does not exist, so the payment fails without a charge.
        let productID = random.below(20) == 0 ? "org.example.nothing" : product.id
        let payment = PaymentNote(
            Payment(productID: productID, quantity: quantity, applicationUsername: username())
        )
        journal.note(.addIntended(payment))
        pending.intend(payment)
        try await send(payment)
    }

    /// Sends the payment until there is an answer.
    func send(_ payment: PaymentNote) async throws {
        while true {
            do {
                let transaction = try await queue.add(payment.payment)
                journal.note(.addAcknowledged(Sighting(transaction)))
                return pending.acknowledge(payment)
            } catch {
                if !error.leavesOutcomeUnknown {
                    journal.note(.addRefused(id: payment.id, code: error.code.rawValue))
                    return pending.refuse(payment.id)
                }
            }
        }
    }

    func repeatAnAdd() async throws {
        if let payment = random.element(of: pending.acknowledged) {
            try await send(payment)
        }
    }

    func sendAConflict() async throws {
        guard let taken = random.element(of: pending.acknowledged) else {
            return
        }
        var other = taken
        other.username = (taken.username ?? "") + "-other"
        do {
            _ = try await queue.add(other.payment)
            journal.note(.conflictAnswered(id: taken.id, code: nil))
        } catch {
            if !error.leavesOutcomeUnknown {
                journal.note(.conflictAnswered(id: taken.id, code: error.code.rawValue))
            }
        }
    }

    func sendAnInvalidPayment() async throws {
        let payment = PaymentNote(
            Payment(productID: "no.such product", quantity: Payment.quantityRange.upperBound + 1)
        )
        journal.note(.addIntended(payment))
        pending.intend(payment)
        try await send(payment)
    }

    /// Returns one of a few usernames, or nil. It contains the application, so that a leak shows its source.
    func username() -> String? {
        let number = random.below(4)
        return number == 0 ? nil : "canary-\(queue.configuration.application)-\(number)"
    }
}

extension TillError {
    /// Whether the outcome stays unknown, so that the same request must be sent again.
    var leavesOutcomeUnknown: Bool {
        code == .unavailable || code == .deadlineExceeded || code == .resourceExhausted || code == .unknown
    }
}
