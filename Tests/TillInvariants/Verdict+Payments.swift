import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that every answered payment is in the ledger once, with its content, and that no other payment is.
    mutating func checkPayments(_ queue: QueueEvidence) {
        for (_, sighting) in queue.acknowledged {
            checkKept(sighting, queue)
        }
        let answered = Set(queue.acknowledged.map(\.sighting.id))
        for (id, code) in queue.refused where !answered.contains(id) {
            expect(.refusedPaymentsLeaveNothing, queue.rows[id] == nil, "\(id.text) was refused (\(code)) but is kept")
        }
        for row in queue.books.transactions {
            checkOrigin(row, queue)
        }
        for history in queue.histories {
            for case .conflictAnswered(let id, let code) in history.entries.map(\.fact) {
                expect(
                    .identitiesAreUnique,
                    code == TillError.Code.alreadyExists.rawValue,
                    "another payment under the identity \(id.text) was answered with code \(code ?? 0)"
                )
            }
        }
        checkIdentities(queue)
    }

    private mutating func checkKept(_ sighting: Sighting, _ queue: QueueEvidence) {
        let intent = queue.intents[sighting.id]
        expect(
            .acknowledgedPaymentsAreKept,
            sighting.payment == intent,
            "the answer for \(sighting.id.text) has \(sighting.payment), but the process sent \(intent.words)"
        )
        let row = queue.rows[sighting.id].map { PaymentNote($0.payment) }
        expect(
            .acknowledgedPaymentsAreKept,
            row == intent,
            "\(sighting.id.text) was answered as added; the ledger has \(row.words), the process sent \(intent.words)"
        )
    }

    /// Checks that every row goes back to a payment that a process added to this queue.
    private mutating func checkOrigin(_ row: TransactionRecord, _ queue: QueueEvidence) {
        let isCopy = row.state == .restored || row.term?.isRenewal == true
        let intent = (isCopy ? row.original?.id : row.id).flatMap { queue.intents[queue.origin(of: $0)] }
        expect(
            .nothingIsInvented,
            intent != nil,
            "no process in the queue of \(queue.books.name.application) added the payment of the row \(row.id.text)"
        )
        if row.continues != nil, let intent {
            var payment = PaymentNote(row.payment)
            payment.id = intent.id
            expect(
                .acknowledgedPaymentsAreKept,
                payment == intent,
                "\(row.id.text) continues \(intent.id.text) as \(payment), but the process sent \(intent)"
            )
        }
    }

    private mutating func checkIdentities(_ queue: QueueEvidence) {
        for (id, rows) in Dictionary(grouping: queue.books.transactions, by: \.id) {
            expect(.identitiesAreUnique, rows.count == 1, "\(id.text) has \(rows.count) transactions")
        }
        var identifiers: [UUID: String] = [:]
        var owners: [String: UUID] = [:]
        for sighting in queue.sightings {
            guard let identifier = sighting.transactionIdentifier else {
                continue
            }
            let first = identifiers[sighting.id] ?? identifier
            let owner = owners[identifier] ?? sighting.id
            identifiers[sighting.id] = first
            owners[identifier] = owner
            expect(
                .identitiesAreUnique,
                first == identifier && owner == sighting.id,
                "\(sighting.id.text) has the transactionIdentifier \(identifier) of \(owner.text), or had \(first)"
            )
        }
    }
}

extension PaymentNote? {
    fileprivate var words: String {
        map { "\($0)" } ?? "nothing"
    }
}
