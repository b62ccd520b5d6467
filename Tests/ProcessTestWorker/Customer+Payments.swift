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
        // Now and then something that the store does not sell, which fails without a charge.
        let productID = random.below(20) == 0 ? "org.example.nothing" : product.id
        let payment = PaymentNote(
            Payment(productID: productID, quantity: quantity, applicationUsername: username())
        )
        journal.note(.addIntended(payment))
        desk.intend(payment)
        try await send(payment)
    }

    /// Sends the payment until there is an answer.
    func send(_ payment: PaymentNote) async throws {
        while true {
            do {
                let transaction = try await queue.add(payment.payment)
                journal.note(.addAcknowledged(Sighting(transaction)))
                return desk.acknowledge(payment)
            } catch {
                if !error.leavesItOpen {
                    journal.note(.addRefused(id: payment.id, code: error.code.rawValue))
                    return desk.refuse(payment.id)
                }
            }
        }
    }

    func repeatAnAdd() async throws {
        if let payment = random.element(of: desk.acknowledged) {
            try await send(payment)
        }
    }

    func sendAConflict() async throws {
        guard let taken = random.element(of: desk.acknowledged) else {
            return
        }
        var other = taken
        other.username = (taken.username ?? "") + "-other"
        do {
            _ = try await queue.add(other.payment)
            journal.note(.conflictAnswered(id: taken.id, code: nil))
        } catch {
            if !error.leavesItOpen {
                journal.note(.conflictAnswered(id: taken.id, code: error.code.rawValue))
            }
        }
    }

    func sendAnInvalidPayment() async throws {
        let payment = PaymentNote(
            Payment(productID: "no.such product", quantity: Payment.quantityRange.upperBound + 1)
        )
        journal.note(.addIntended(payment))
        desk.intend(payment)
        try await send(payment)
    }

    /// One of a few, or none; it names the application, so that it shows where it went.
    func username() -> String? {
        let number = random.below(4)
        return number == 0 ? nil : "canary-\(queue.configuration.application)-\(number)"
    }
}

extension TillError {
    /// Whether the same request has to be sent again to learn its outcome.
    var leavesItOpen: Bool {
        code == .unavailable || code == .deadlineExceeded || code == .resourceExhausted || code == .unknown
    }
}
