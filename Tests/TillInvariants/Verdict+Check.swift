import TillEngine

extension Verdict {
    /// Checks the histories of processes against the books.
    ///
    /// At any moment, answers and sightings are checked against the books. Checks that need only the histories or a
    /// settled system require the moment `settled`.
    package init(histories: [History], books: Books, at moment: Moment = .settled) {
        let queues = books.queues.map { queue in
            QueueEvidence(histories: histories.filter { $0.queue == queue.name }, books: queue)
        }
        for queue in queues {
            checkPayments(queue)
            checkTransactions(queue)
            checkOwnership(queue)
            checkPeriods(queue)
            checkOffers(queue, books)
            checkReceipts(queue, books)
            checkFinishes(queue)
            checkRestoreEnds(queue)
            checkDownloads(queue, books)
            if moment == .settled {
                checkOrder(queue)
                checkInitialDelivery(queue)
                checkContinuity(queue)
                checkRestores(queue)
                checkSettled(queue)
                checkStoreEvents(queue, books)
                checkStorefronts(queue)
            }
        }
        checkCharges(queues, books)
        checkContent(books)
        checkAudit(queues, books)
        if moment == .settled {
            checkSums(books)
            checkSettled(books)
        }
    }
}
