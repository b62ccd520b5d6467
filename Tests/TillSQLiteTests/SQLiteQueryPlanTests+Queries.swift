import FoundationEssentials
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

extension SQLiteQueryPlanTests {
    static let queries = [
        Query(
            "queue by name",
            "SEARCH queues USING INDEX sqlite_autoindex_queues_1 (application=? AND account=?)"
        ) { _ = try $0.queue(someQueue) },
        Query(
            "queue by key",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.queue(key: 1) },
        Query(
            "queues",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid>?)"
        ) { _ = try $0.queues(afterKey: 0, limit: 1) },
        Query(
            "events",
            "SEARCH events USING PRIMARY KEY (queue=? AND revision>?)"
        ) { _ = try $0.events(in: 1, after: 0, limit: 1) },
        Query(
            "pending events",
            "SEARCH events USING INDEX events_pending (queue=? AND revision>? AND revision<?)"
        ) { _ = try $0.pendingEvents(in: 1, revisions: 0...9, limit: 1) },
        Query(
            "acknowledge",
            "SEARCH marks USING PRIMARY KEY (kind=? AND owner=?)",
            "SEARCH events USING INDEX events_pending (queue=? AND revision<?)"
        ) { try $0.acknowledge(9, inQueue: 1) },
        Query(
            "prune events",
            """
            SEARCH events USING PRIMARY KEY (queue=? AND revision<?)
            SCALAR SUBQUERY 1
            SEARCH events USING PRIMARY KEY (queue=?)
            """,
            "SEARCH events USING PRIMARY KEY (queue=? AND revision<?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { try $0.pruneEvents(ofQueue: 1, keeping: 1) },
        Query(
            "transaction by identity",
            "SEARCH t USING INDEX transactions_by_id (id=?)"
        ) { _ = try $0.transaction(UUID()) },
        Query(
            "transaction by key",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.transaction(key: 1) },
        Query(
            "transactions of the receipt",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 4
            MERGE (UNION)
            LEFT
            CO-ROUTINE marked
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key<?)
            SCAN marked
            USE TEMP B-TREE FOR ORDER BY
            RIGHT
            CO-ROUTINE ended
            SEARCH transactions USING INDEX transactions_log (place=? AND queue=?)
            USE TEMP B-TREE FOR ORDER BY
            SCAN ended
            USE TEMP B-TREE FOR ORDER BY
            """
        ) { _ = try $0.receiptTransactions(in: 1, beforeKey: 9, limit: 1) },
        Query(
            "unfinished transactions",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH transactions USING COVERING INDEX transactions_log (place=? AND queue=?)
            USE TEMP B-TREE FOR ORDER BY
            """
        ) {
            _ = try $0.unfinishedTransactions(in: 1, afterKey: 0, limit: 1)
        },
        Query(
            "changed transactions",
            """
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>?)
            """
        ) { _ = try $0.transactions(in: 1, changedAfter: 0, limit: 1) },
        Query(
            "deliverable transactions",
            """
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            MERGE (UNION ALL)
            LEFT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            MERGE (UNION ALL)
            LEFT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            RIGHT
            SEARCH t USING INDEX transactions_log (place=? AND queue=? AND revision>? AND revision<?)
            """
        ) { _ = try $0.deliverableTransactions(in: 1, revisions: 0...9, limit: 1) },
        Query(
            "waiting transactions",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH transactions USING COVERING INDEX transactions_log (place=?)
            USE TEMP B-TREE FOR ORDER BY
            """
        ) {
            _ = try $0.transactions(waitingFor: [.approval], account: nil, afterKey: 0, limit: 1)
        },
        Query(
            "waiting transactions of an account",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 2
            SEARCH transactions USING COVERING INDEX transactions_log (place=? AND queue=?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX queues_by_account (account=?)
            USE TEMP B-TREE FOR ORDER BY
            """
        ) {
            _ = try $0.transactions(waitingFor: [.approval], account: "a", afterKey: 0, limit: 1)
        },
        Query(
            "overdue transactions",
            "SEARCH t USING INDEX deadlines (deadline<?)"
        ) { _ = try $0.overdueTransactions(at: time(0), limit: 1) },
        Query(
            "transactions that wait beyond",
            "SEARCH t USING INDEX deadlines (deadline>?)"
        ) { _ = try $0.transactions(waitingBeyond: time(0), limit: 1) },
        Query(
            "entitlement",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.entitlement(to: "pro", in: 1) },
        Query(
            "entitlements",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.entitlements(in: 1, afterKey: 0, limit: 1) },
        Query(
            "disputed",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.disputedTransactions(in: 1, limit: 1) },
        Query(
            "restorable",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) {
            _ = try $0.restorableTransactions(in: 1, afterKey: 0, applicationUsername: nil, limit: 1)
        },
        Query(
            "restorable by username",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) {
            _ = try $0.restorableTransactions(in: 1, afterKey: 0, applicationUsername: "anna", limit: 1)
        },
        Query(
            "figures",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH transactions USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH transactions USING COVERING INDEX transactions_log (place=?)",
            "SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=?)",
            "SCAN renewal_charges USING INDEX renewal_charges_in_review",
            "SEARCH refunds USING COVERING INDEX refunds_in_review (state=?)",
            "SEARCH transactions USING COVERING INDEX charges_due (charge_due_at<?)",
            "SEARCH renewal_charges USING INDEX renewal_charges_due (due_at<?)",
            "SEARCH refunds USING INDEX refunds_due (due_at<?)",
            "SEARCH subscriptions USING COVERING INDEX subscriptions_due (due_at<?)",
            "SEARCH transactions USING COVERING INDEX deadlines (deadline<?)"
        ) { _ = try $0.figures(at: time(1)) },
        Query(
            "restorable count",
            "SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=?)"
        ) { _ = try $0.restorableCount(in: 1, applicationUsername: nil) },
        Query(
            "restorable count by username",
            "SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=?)"
        ) { _ = try $0.restorableCount(in: 1, applicationUsername: "anna") },
        Query(
            "unfinished restored",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.unfinishedRestoredTransaction(of: .sample(1, revision: 1)) },
        Query(
            "unfinished renewals",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.unfinishedRenewals(ofSubscription: 1, limit: 1) },
        Query(
            "terms",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=? AND key>?)
            """
        ) { _ = try $0.terms(ofSubscription: 1, afterKey: 0, limit: 1) },
        Query(
            "unpruned transactions",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
        ) { _ = try $0.unprunedTransactions(in: 1...64) },
        Query(
            "matching all",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid>?)"
        ) { _ = try $0.transactions(matching: TransactionFilter(), afterKey: 0, limit: 1) },
        Query(
            "matching all, the newest first",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid<?)"
        ) { _ = try $0.transactions(matching: TransactionFilter(), beforeKey: 0, limit: 1) },
        Query(
            "matching queue",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid>?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX sqlite_autoindex_queues_1 (application=? AND account=?)
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(application: "a", account: "b"), afterKey: 0, limit: 1)
        },
        Query(
            "matching application",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid>?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX sqlite_autoindex_queues_1 (application=?)
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(application: "a"), afterKey: 0, limit: 1)
        },
        Query(
            "matching account",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid>?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX queues_by_account (account=?)
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(account: "a"), afterKey: 0, limit: 1)
        },
        Query(
            "matching needsReview",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 2
            COMPOUND QUERY
            LEFT-MOST SUBQUERY
            SEARCH marks USING PRIMARY KEY (kind=?)
            UNION USING TEMP B-TREE
            SCAN c USING INDEX renewal_charges_in_review
            SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(attention: .needsReview), afterKey: 0, limit: 1)
        },
        Query(
            "matching interrupted",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 2
            COMPOUND QUERY
            LEFT-MOST SUBQUERY
            SEARCH marks USING PRIMARY KEY (kind=?)
            UNION USING TEMP B-TREE
            SEARCH transactions USING COVERING INDEX transactions_log (place=?)
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(attention: .interrupted), afterKey: 0, limit: 1)
        },
        Query(
            "matching revoked",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=?)
            """
        ) {
            _ = try $0.transactions(matching: TransactionFilter(attention: .revoked), afterKey: 0, limit: 1)
        },
        Query(
            "charge by key",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.charge(key: 1) },
        Query(
            "charge of transaction",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.charge(forTransaction: 1) },
        Query(
            "due charges",
            "SEARCH t USING INDEX charges_due (charge_due_at<?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH renewal_charges USING INDEX renewal_charges_due (due_at<?)"
        ) { _ = try $0.dueCharges(at: time(0), limit: 1) },
        Query(
            "charges due after",
            "SEARCH t USING INDEX charges_due (charge_due_at>?)",
            "SEARCH renewal_charges USING INDEX renewal_charges_due (due_at>?)"
        ) { _ = try $0.charges(dueAfter: time(0), limit: 1) },
        Query(
            "unsettled charges",
            """
            SEARCH t USING INTEGER PRIMARY KEY (rowid=?)
            LIST SUBQUERY 1
            SEARCH marks USING PRIMARY KEY (kind=? AND owner=? AND name=?)
            USE TEMP B-TREE FOR ORDER BY
            """,
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH renewal_charges USING INDEX renewal_charges_unsettled (queue=? AND exclusivity=? AND state=?)"
        ) { _ = try $0.unsettledCharges(exclusiveGroup: "pro", in: 1, limit: 1) },
        Query(
            "charge in review",
            "SEARCH renewal_charges USING INDEX renewal_charges_in_review (subscription_key=?)"
        ) { _ = try $0.chargeInReview(ofSubscription: 1) },
        Query(
            "charge of a renewal by its payment",
            "SEARCH renewal_charges USING INDEX renewal_charges_by_payment (payment_id=?)"
        ) { _ = try $0.renewalCharge(ofPayment: UUID()) },
        Query(
            "charges",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid>?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH renewal_charges USING INTEGER PRIMARY KEY (rowid>?)"
        ) { _ = try $0.charges(afterKey: 0, limit: 1) },
        Query(
            "subscription by key",
            "SEARCH subscriptions USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.subscription(key: 1) },
        Query(
            "subscription of group",
            "SEARCH subscriptions USING INDEX sqlite_autoindex_subscriptions_1 (queue=? AND group_id=?)"
        ) { _ = try $0.subscription(toGroup: "g", in: 1) },
        Query(
            "subscriptions",
            "SEARCH subscriptions USING INDEX subscriptions_by_key (queue=? AND rowid>?)"
        ) { _ = try $0.subscriptions(in: 1, afterKey: 0, limit: 1) },
        Query(
            "due subscriptions",
            "SEARCH subscriptions USING INDEX subscriptions_due (due_at<?)"
        ) { _ = try $0.dueSubscriptions(at: time(0), limit: 1) },
        Query(
            "consents",
            "SEARCH subscriptions USING INDEX consents (price_consent=? AND rowid>?)"
        ) { _ = try $0.subscriptionsAwaitingConsent(account: nil, afterKey: 0, limit: 1) },
        Query(
            "consents of an account",
            """
            SEARCH subscriptions USING INDEX consents_in_queue (queue=? AND rowid>?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX queues_by_account (account=?)
            USE TEMP B-TREE FOR ORDER BY
            """
        ) {
            _ = try $0.subscriptionsAwaitingConsent(account: "a", afterKey: 0, limit: 1)
        },
        Query(
            "restore",
            """
            SEARCH restores USING INDEX sqlite_autoindex_restores_1 (id=?)
            SCALAR SUBQUERY 1
            SEARCH j USING PRIMARY KEY (id=?)
            """
        ) { _ = try $0.restore(UUID()) },
        Query(
            "running restore",
            """
            SEARCH restores USING INDEX restores_running_in_queue (queue=?)
            USE TEMP B-TREE FOR ORDER BY
            """
        ) { _ = try $0.joinableRestore(in: 1, applicationUsername: nil) },
        Query(
            "running restores",
            "SCAN restores USING INDEX restores_running"
        ) { _ = try $0.runningRestores(limit: 1) },
        Query(
            "refund",
            "SEARCH refunds USING INDEX sqlite_autoindex_refunds_1 (id=?)"
        ) { _ = try $0.refund(UUID()) },
        Query(
            "refunds",
            "SEARCH refunds USING INDEX refunds_of_transaction (transaction_key=?)"
        ) { _ = try $0.refunds(ofTransaction: 1) },
        Query(
            "refunds of many transactions",
            "SEARCH refunds USING INDEX refunds_of_transaction (transaction_key>? AND transaction_key<?)"
        ) { _ = try $0.refunds(ofTransactions: 1...9) },
        Query(
            "due refunds",
            "SEARCH refunds USING INDEX refunds_due (due_at<?)"
        ) { _ = try $0.dueRefunds(at: time(0), limit: 1) },
        Query(
            "refunds due after",
            "SEARCH refunds USING INDEX refunds_due (due_at>?)"
        ) { _ = try $0.refunds(dueAfter: time(0), limit: 1) },
        Query(
            "history",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.history(ofTransaction: 1) },
        Query(
            "audit",
            "SEARCH audit USING INTEGER PRIMARY KEY (rowid>?)"
        ) { _ = try $0.audit(after: 0, limit: 1) },
        Query(
            "last link of the audit log",
            "SCAN audit"
        ) { _ = try $0.lastAudit() },
        Query(
            "settings",
            "SCAN settings"
        ) { _ = try $0.settings() },
        Query(
            "take a setting back",
            "SEARCH settings USING PRIMARY KEY (name=?)"
        ) { try $0.setSetting("locale", to: nil) },
        Query(
            "append to the history",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH transactions USING INTEGER PRIMARY KEY (rowid=?)"
        ) { writer in
            let entry = HistoryRecord(transactionKey: 1, date: time(0), kind: .change, actor: "", detail: "")
            try writer.append(entry, keeping: 1)
        },
        Query(
            "advance the revision",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.advanceRevision(ofQueue: 1) },
        Query(
            "update a transaction",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH transactions USING INTEGER PRIMARY KEY (rowid=?)"
        ) { writer in
            var record = TransactionRecord.sample(1, revision: 1)
            record.key = 1
            try writer.update(record)
        },
        Query(
            "update a charge",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH queues USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH transactions USING INTEGER PRIMARY KEY (rowid=?)"
        ) { writer in
            var charge = ChargeRecord.sample(1, 1)
            charge.key = 1
            try writer.update(charge)
        },
        Query(
            "next due",
            "SEARCH transactions USING COVERING INDEX charges_due (charge_due_at>?)",
            "SEARCH transactions USING COVERING INDEX deadlines (deadline>?)",
            "SCAN renewal_charges USING INDEX renewal_charges_due",
            "SCAN refunds USING INDEX refunds_due",
            "SEARCH subscriptions USING COVERING INDEX subscriptions_due (due_at>?)"
        ) { _ = try $0.nextDue() },
    ]
}
