import FoundationEssentials
import Logging
import TillModel

/// Follows what happens to payments at the provider after they were charged.
struct NewsJob: Sendable {
    /// How long to wait until the provider is asked for news again.
    static let interval = Duration.seconds(60)
    /// The name of the ledger's setting that keeps the provider's cursor.
    static let settingName = "provider-news"

    let provider: BoundedProvider
    let refunding: Refunding
    let access: LedgerAccess
    let time: any TimeSource

    /// Asks until the task is cancelled, or the provider says that it never has news. Errors are logged, once each time
    /// that news cannot be read any more.
    func run() async {
        // A provider that knows charges by our identities alone moves no money on its own.
        guard provider.preparesCharges else {
            return
        }
        var isLogged = false
        while !Task.isCancelled {
            do throws(TillError) {
                guard let news = try await next() else {
                    return
                }
                isLogged = false
                if news.isMore {
                    continue
                }
            } catch {
                if !isLogged, !Task.isCancelled {
                    access.logger.warning("The provider's news cannot be read", metadata: ["error": "\(error.message)"])
                }
                isLogged = true
            }
            guard (try? await time.sleep(for: Self.interval)) != nil else {
                return
            }
        }
    }

    /// Stores the provider's next news, and then the cursor: after an end in between, the same news come again.
    ///
    /// - Returns: Nil if the provider never has any.
    private func next() async throws(TillError) -> ProviderNews? {
        let cursor = try await access.read { try $0.settings()[Self.settingName] }
        guard let news = try await provider.news(after: cursor) else {
            return nil
        }
        for reversal in news.reversals {
            try await store(reversal)
        }
        if news.cursor != cursor {
            try await access.commit(isOwn: true) { context in
                .success(try context.ledger.setSetting(Self.settingName, to: news.cursor))
            }
        }
        return news
    }

    /// A row that cannot be read keeps no other payment's news back.
    private func store(_ reversal: ProviderReversal) async throws(TillError) {
        do throws(TillError) {
            try await access.commit(isOwn: true) { context in
                .success(try refunding.follow(reversal, &context))
            }
        } catch  where error.code == .dataLoss {
            access.logger.error(
                "The provider's news about a payment cannot be stored",
                metadata: ["transaction.id": "\(reversal.paymentID.text)", "error": "\(error.message)"]
            )
        }
    }
}
