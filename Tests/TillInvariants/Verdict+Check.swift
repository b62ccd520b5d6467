import TillEngine

extension Verdict {
    /// Holds the histories of processes against what is written down, after everything came to rest.
    package init(histories: [History], books: Books) {
        let queues = books.queues.map { queue in
            QueueEvidence(histories: histories.filter { $0.queue == queue.name }, books: queue)
        }
        for queue in queues {
            checkPayments(queue)
            checkTransactions(queue)
            checkOrder(queue)
            checkFinishes(queue)
            checkInitialDelivery(queue)
            checkContinuity(queue)
            checkRestores(queue)
            checkRest(queue)
        }
        checkCharges(queues, books)
        checkRest(books)
    }
}
