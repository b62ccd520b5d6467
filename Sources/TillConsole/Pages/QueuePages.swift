import FoundationEssentials
import TillEngine
import TillModel
import TillOutput

/// The applications and the accounts that use them.
struct ApplicationsPage {
    let engine: PaymentEngine
    let query: ViewQuery

    func html() async throws(TillError) -> HTML {
        let found = try await engine.operatorQueues(token: try query.token(), limit: PaymentEngine.findPageMaximum)
        let rows = found.page.map { name -> [HTML] in
            let parameters = [("application", name.application), ("account", name.account)]
            return [
                "\(name.application)", "\(name.account)",
                HTML.link(to: .queue, parameters, "Purchases, subscriptions and downloads"),
                HTML.link(to: .transactions, parameters, "Transactions"),
            ]
        }
        let list = HTML.table(
            "Queues: an application on behalf of an account, the oldest first",
            ["Application", "Account", "What it owns", "What happened"],
            rows,
            orElse: "No application has used its queue yet."
        )
        return "<h1>Applications</h1>\(list)\(HTML.next(found.next, "More queues"))"
    }
}

/// One queue: what its account owns, its subscriptions and its downloads.
struct QueuePage {
    private static let entitlements = "purchases"
    private static let subscriptions = "subscriptions"
    private static let downloads = "downloads"

    let engine: PaymentEngine
    let query: ViewQuery

    func html() async throws(TillError) -> HTML {
        let name = try query.queueName()
        let limit = PaymentEngine.entitlementPageMaximum
        var owned = try await engine.entitlements(in: name, token: try query.token(Self.entitlements), limit: limit)
        // Subscriptions are on pages of their own, the last of which may be empty.
        while let next = owned.next, owned.page.count < limit {
            let more = try await engine.entitlements(in: name, token: next, limit: limit - owned.page.count)
            owned = (owned.page + more.page, more.next)
        }
        let subscribed = try await engine.subscriptions(
            in: name,
            token: try query.token(Self.subscriptions),
            limit: limit
        )
        let downloads = try await engine.downloads(in: name, token: try query.token(Self.downloads))
        let transactions = HTML.link(
            to: .transactions,
            [("application", name.application), ("account", name.account)],
            "All transactions of this queue"
        )
        return """
            <h1>\(name.application), \(name.account)</h1><p>\(transactions)</p>\
            \(Self.table(owned.page))\(HTML.next(owned.next, "More purchases", list: Self.entitlements))\
            \(Self.table(subscribed.page))\(HTML.next(subscribed.next, "More subscriptions", list: Self.subscriptions))\
            \(Self.table(downloads.page, at: engine.host))\(HTML.next(downloads.next, "More downloads", list: Self.downloads))
            """
    }

    private static func table(_ entitlements: [Entitlement]) -> HTML {
        let rows = entitlements.map { owned -> [HTML] in
            [
                "\(owned.productID)", "\(owned.productType.title)", HTML.date(owned.purchaseDate),
                owned.expirationDate.map(HTML.date) ?? "–", HTML.shortTransaction(owned.transactionID),
            ]
        }
        let headings = ["Product", "Type", "Bought", "Until", "Transaction"]
        return HTML.table("What the account owns now", headings, rows, orElse: "The account owns nothing for good.")
    }

    private static func table(_ subscriptions: [SubscriptionStatus]) -> HTML {
        let rows = subscriptions.map { status -> [HTML] in
            [
                "\(status.productID)", badge(status), HTML.date(status.expirationDate),
                status.willAutoRenew ? "\(status.renewalProductID) for \(status.renewalPrice.plain)" : "no",
                HTML.shortTransaction(status.latestID),
            ]
        }
        let headings = ["Product", "State", "Paid until", "Renews", "Transaction"]
        return HTML.table("Subscriptions", headings, rows, orElse: "The account never had a subscription.")
    }

    private static func badge(_ status: SubscriptionStatus) -> HTML {
        let kind: BadgeKind =
            switch status.state {
            case .subscribed: .good
            case .inGracePeriod, .inBillingRetryPeriod: .waiting
            case .expired, .revoked: .plain
            }
        return HTML.badge(status.state.title, kind)
    }

    /// - Parameter host: The host whose downloads these are; nil if the daemon has the ledger alone.
    private static func table(_ downloads: [Download], at host: String?) -> HTML {
        let rows = downloads.map { download -> [HTML] in
            [
                "\(download.content.identifier)", "\(download.state.title)",
                "\(Int(download.progress * 100)) % of \(download.content.length) bytes",
                HTML.text(download.error?.message) ?? "–", HTML.shortTransaction(download.transactionID),
            ]
        }
        let headings = ["Content", "State", "Received", "Error", "Transaction"]
        let title = host.map { "Downloads at the host \($0)" } ?? "Downloads"
        return HTML.table(title, headings, rows, orElse: "There is nothing to download.")
    }
}
