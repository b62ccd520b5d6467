package import FoundationEssentials
package import TillMetrics

/// What the ledger says about work that is not done, for metrics. Nothing is decided by it.
package struct LedgerFigures: Hashable, Sendable {
    /// The unfinished transactions that wait for the same.
    package struct Waiting: Hashable, Sendable {
        package var count: Int
        /// When the oldest of them was created; nil without any.
        package var oldest: Date?

        package init(count: Int, oldest: Date?) {
            self.count = count
            self.oldest = oldest
        }
    }

    package var unfinished: [UnfinishedWait: Waiting]
    package var inReview: [ReviewedWork: Int]
    package var due: [DueWork: Int]

    package init(
        unfinished: [UnfinishedWait: Waiting],
        inReview: [ReviewedWork: Int],
        due: [DueWork: Int]
    ) {
        self.unfinished = unfinished
        self.inReview = inReview
        self.due = due
    }
}

package protocol FigureReader {
    /// Counts what is unfinished, in review and due at `date`. Its cost rises with these, and not with finished
    /// transactions.
    func figures(at date: Date) throws -> LedgerFigures
}
