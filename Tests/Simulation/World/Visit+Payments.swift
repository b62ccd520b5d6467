import FoundationEssentials
import TillClient
import TillEngine
import TillInvariants
import TillModel

extension Visit {
    func buy() async {
        let (product, quantity) = world.randomGoods()
        await add(world.random.chance(50) ? SimulatedCatalogue.unknown : product, quantity: quantity)
    }

    func sendAnInvalidPayment() async {
        await add("no.such product", quantity: Payment.quantityRange.upperBound + 1)
    }

    private func add(_ product: String, quantity: Int) async {
        var payment = PaymentNote(
            Payment(id: world.newID(), productID: product, quantity: quantity, applicationUsername: username())
        )
        if world.random.chance(product == SimulatedCatalogue.coins ? 30 : 300) {
            payment.offer = world.random.element(of: SimulatedCatalogue.discounts)
        }
        await add(payment)
    }

    private func add(_ payment: PaymentNote) async {
        note(.addIntended(payment))
        pending.intend(payment)
        await send(payment)
    }

    /// Buys a payment that the store asks for, or declines it.
    func consider(_ payment: Payment, _ sequence: Int) async {
        note(.offered(sequence: sequence, PaymentNote(payment)), of: .offer(payment.id))
        if !world.isSettling, world.random.chance(700) {
            await add(PaymentNote(payment))
        }
    }

    /// Sends the payment until there is an answer.
    func send(_ payment: PaymentNote) async {
        let queue = shopper.queue
        while !Task.isCancelled {
            do throws(TillError) {
                let transaction = try await call { (engine) throws(TillError) in
                    try await engine.addPayment(payment.payment, to: queue)
                }
                note(.addAcknowledged(Sighting(transaction)))
                return pending.acknowledge(payment)
            } catch  where !error.leavesOutcomeUnknown {
                note(.addRefused(id: payment.id, code: error.code.rawValue))
                return pending.close(payment.id)
            } catch {
                continue
            }
        }
    }

    func repeatAnAdd() async {
        if let payment = world.random.element(of: pending.acknowledged) {
            await send(payment)
        }
    }

    func sendAConflict() async {
        guard let taken = world.random.element(of: pending.acknowledged) else {
            return
        }
        var other = taken
        other.username = (taken.username ?? "") + "-other"
        let (queue, payment) = (shopper.queue, other.payment)
        do throws(TillError) {
            _ = try await call { (engine) throws(TillError) in try await engine.addPayment(payment, to: queue) }
            note(.conflictAnswered(id: taken.id, code: nil))
        } catch  where !error.leavesOutcomeUnknown {
            note(.conflictAnswered(id: taken.id, code: error.code.rawValue))
        } catch {
            return
        }
    }

    /// Asks to cancel a payment. The request is too late if the payment is being charged.
    func cancelPayment() async {
        guard let id = world.random.element(of: pending.unfinal) else {
            return
        }
        let queue = shopper.queue
        _ = try? await call { (engine) throws(TillError) in try await engine.cancelPayment(id, in: queue) }
    }

    /// Tries to finish a transaction that is not final, or that became final only now.
    func finishTooEarly() async {
        if let id = world.random.element(of: pending.unfinal) {
            await finish(id)
        }
    }

    func finish(_ id: UUID) async {
        note(.finishIntended(id: id))
        if world.flaw == .boastfulClients {
            note(.finishAcknowledged(id: id))
        }
        let queue = shopper.queue
        while !Task.isCancelled {
            do throws(TillError) {
                let revision = try await call { (engine) throws(TillError) in
                    try await engine.finishTransaction(id, in: queue)
                }
                finished.insert(id, removedAt: revision)
                note(.finishAcknowledged(id: id))
                return pending.finish(id)
            } catch  where !error.leavesOutcomeUnknown {
                if error.code != .failedPrecondition {
                    world.reportViolation("\(shopper.name): finishing \(id.text) was answered \(error)")
                }
                return note(.finishRefused(id: id, code: error.code.rawValue))
            } catch {
                continue
            }
        }
    }

    /// Returns one of a few usernames, or nil.
    func username() -> String? {
        let number = world.random.below(3)
        return number == 0 ? nil : "user-\(number)"
    }
}

extension TillError {
    /// Whether the outcome stays unknown, so that the same request must be sent again.
    var leavesOutcomeUnknown: Bool {
        isRetryable || code == .resourceExhausted || code == .unknown || code == .cancelled
    }
}
