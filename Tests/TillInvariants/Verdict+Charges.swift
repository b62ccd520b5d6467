import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Compares the provider's record with the ledger and with the sightings.
    mutating func checkCharges(_ queues: [QueueEvidence], _ books: Books) {
        let given = books.charges.map { charge in
            (charge.key, LedgerRefunds(charge.transactionKey.flatMap { books.refunds[$0] } ?? []))
        }
        let refunds = Dictionary(given, uniquingKeysWith: { first, _ in first })
        for row in Reconciliation(ledger: books.charges, refunds: refunds, provider: books.provider).rows {
            checkRow(row)
        }
        let charges = Dictionary(grouping: books.provider, by: \.paymentID)
        for queue in queues {
            for sighting in queue.sightings where sighting.id == sighting.payment.id {
                check(sighting, paid(for: sighting, charges, queue), prices(of: sighting, queue, books))
            }
            for (id, code) in queue.refused where queue.rows[id] == nil {
                expect(
                    .refusedPaymentsLeaveNothing,
                    charges[id] == nil,
                    "\(id.text) was refused (\(code)) but charged"
                )
            }
        }
        let renewals = books.charges.filter { $0.subscriptionKey != nil }
        checkRenewals(renewals, queues)
        let continuing = queues.flatMap { $0.books.transactions.filter { $0.continues != nil }.map(\.id) }
        let intended = Set(queues.flatMap { $0.intents.keys }).union(renewals.map(\.request.paymentID))
            .union(continuing)
        for charge in books.provider {
            expect(
                .nothingIsInvented,
                intended.contains(charge.paymentID),
                "\(charge.paymentID.text) was charged but never added"
            )
            expect(
                .refundsDoNotExceedPayments,
                (0...charge.amount).contains(charge.refunded),
                "\(charge.refunded) of \(charge.amount) were refunded for \(charge.paymentID.text)"
            )
        }
    }

    /// The provider's charges for the transaction. A transaction that continues a purchase in review has the charge of
    /// that purchase.
    private func paid(
        for sighting: Sighting,
        _ charges: [UUID: [ProviderCharge]],
        _ queue: QueueEvidence
    ) -> [ProviderCharge] {
        let continued = queue.rows[sighting.id]?.continues.flatMap { charges[$0] } ?? []
        return charges[sighting.id, default: []] + continued
    }

    /// The allowed prices: those of the store, with the transaction's offer or without one, and those that were agreed
    /// to.
    private func prices(of sighting: Sighting, _ queue: QueueEvidence, _ books: Books) -> Set<Price> {
        if let offer = queue.rows[sighting.id]?.offer {
            return books.offers[sighting.payment.product]?[offer]?.prices ?? []
        }
        let agreed = sighting.original.flatMap { queue.agreedPrices[$0] } ?? []
        return books.prices[sighting.payment.product, default: []].union(agreed)
    }

    /// Checks that each paid renewal has a transaction.
    private mutating func checkRenewals(_ charges: [ChargeRecord], _ queues: [QueueEvidence]) {
        for charge in charges where charge.state == .succeeded {
            let id = charge.request.paymentID
            expect(
                .purchasesAreCharged,
                queues.contains { $0.rows[id]?.term?.isRenewal == true },
                "\(id.text) was charged for a renewal that has no transaction"
            )
        }
    }

    private mutating func checkRow(_ row: Reconciliation.Row) {
        let id = row.paymentID.text
        expect(.paymentsAreChargedAtMostOnce, row.finding != .chargedTwice, "\(id) was charged more than once")
        expect(
            .booksAgree,
            [.agrees, .open, .chargedTwice].contains(row.finding),
            "\(id): \(row.finding) (ledger \(row.ledger.map { "\($0.state)" } ?? "none"))"
        )
    }

    /// Checks that the ledger and the provider count the same amounts, in each currency.
    mutating func checkSums(_ books: Books) {
        var sums: [String: (ledger: Int64, provider: Int64)] = [:]
        for charge in books.charges where charge.state == .succeeded {
            sums[charge.request.currency, default: (0, 0)].ledger += charge.request.amount
        }
        let unknown = Set(books.charges.filter { $0.state == .needsReview }.map(\.request.paymentID))
        for charge in books.provider where !unknown.contains(charge.paymentID) {
            sums[charge.currency, default: (0, 0)].provider += charge.amount
        }
        for (currency, sum) in sums {
            expect(
                .booksAgree,
                sum.ledger == sum.provider,
                "the ledger counts \(sum.ledger) \(currency) but the provider counts \(sum.provider)"
            )
        }
    }

    private mutating func check(_ sighting: Sighting, _ charges: [ProviderCharge], _ prices: Set<Price>) {
        switch sighting.state {
        case .purchased where sighting.original == nil || sighting.hasTerm:
            let sums = Set(prices.map { $0.times(sighting.payment.quantity) })
            let isFree = charges.isEmpty && sums.contains { $0.amount == 0 }
            let charged = charges.map { Price(minorUnits: $0.amount, currency: $0.currency) }
            expect(
                .purchasesAreCharged,
                isFree || charged.count == 1 && charged.allSatisfy(sums.contains),
                "\(sighting.summary) was charged \(charged.words), but must be charged one of \(sums.words)"
            )
        case .purchased:
            expect(.purchasesAreCharged, charges.isEmpty, "\(sighting.summary) was already owned, but charged")
        case .failed where sighting.moneyMoved == .no:
            expect(
                .failedPaymentsAreNotCharged,
                charges.isEmpty,
                "\(sighting.summary) says that no money moved, but it did"
            )
        default:
            return
        }
    }
}

extension Price {
    /// The price of this quantity.
    fileprivate func times(_ quantity: Int) -> Price {
        Price(amount: amount * Decimal(quantity), currency: currency)
    }
}

extension Collection<Price> {
    fileprivate var words: String {
        map { "\($0.amount) \($0.currency)" }.sorted().joined(separator: ", ")
    }
}
