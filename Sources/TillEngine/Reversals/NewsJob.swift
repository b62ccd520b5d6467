import FoundationEssentials
import Logging
import TillModel

/// Follows what happens to payments at the provider after they were charged.
struct NewsJob: Sendable {
    /// How long to wait until the provider is asked for news again, unless it rings. After a failure and after a ring it is
    /// never longer: the provider may list news a little later than it rings.
    static let interval = Duration.seconds(60)
    /// A ring waits until so long after the round before, so that many rings are few rounds.
    static let pauseMinimum = Duration.seconds(5)
    /// A ring also waits for so many times the duration of the round before, so that reading news takes at most about a
    /// tenth of the time, however often it rings.
    static let pauseFactor = 10.0
    /// The name of the ledger's setting that keeps the provider's cursor.
    static let settingName = "provider-news"

    let provider: BoundedProvider
    let parts: EngineParts
    let access: LedgerAccess
    let time: any TimeSource
    /// The time between two rounds if it does not ring.
    let interval: Duration
    let doorbell = Doorbell()

    init(
        _ provider: BoundedProvider,
        _ parts: EngineParts,
        _ access: LedgerAccess,
        _ time: any TimeSource,
        interval: Duration
    ) {
        self.provider = provider
        self.parts = parts
        self.access = access
        self.time = time
        self.interval = interval
    }

    /// Asks until the task is cancelled, or the provider says that it never has news. Errors are logged, once each time
    /// that news cannot be read any more.
    func run() async {
        // A provider that knows charges by our identities alone moves no money on its own.
        guard provider.preparesCharges else {
            return
        }
        var isLogged = false
        var early: Set<UUID> = []
        while !Task.isCancelled {
            let began = time.now()
            // Before the provider is asked: a ring from now on is a reason for another round.
            var isSettled = !doorbell.take()
            do throws(TillError) {
                guard let found = try await readAll() else {
                    return
                }
                if !found.isSubset(of: early) {
                    doorbell.ring()
                }
                isSettled = isSettled && found.isEmpty
                early = found
                isLogged = false
            } catch {
                isSettled = false
                if !isLogged, !Task.isCancelled {
                    access.logger.warning("The provider's news cannot be read", metadata: ["error": "\(error.message)"])
                }
                isLogged = true
            }
            let taken = Duration.seconds(time.now().timeIntervalSince(began))
            guard (try? await pause(after: taken, isSettled ? interval : min(interval, Self.interval))) != nil else {
                return
            }
        }
    }

    /// Waits until the next regular round, or for a ring.
    private func pause(after taken: Duration, _ interval: Duration) async throws {
        let pause = min(interval, max(Self.pauseMinimum, taken * Self.pauseFactor))
        let began = time.now()
        try await time.sleep(for: pause)
        // The store's clock may have been advanced by more, and a wall clock may be set back.
        let rest = interval - max(pause, .seconds(time.now().timeIntervalSince(began)))
        if rest > .zero {
            try await doorbell.wait(for: rest, time)
        }
    }

    /// - Returns: The payments whose refunds or disputes came before the engine knows that they were charged; nil if the
    ///   provider never has news.
    private func readAll() async throws(TillError) -> Set<UUID>? {
        var early: Set<UUID> = []
        while !Task.isCancelled {
            guard let news = try await next(&early) else {
                return nil
            }
            guard news.isMore else {
                break
            }
        }
        return early
    }

    /// Stores the provider's next news, and then the cursor: after an end in between, the same news come again.
    ///
    /// - Parameter early: Gets the payments whose reversals have to come again.
    /// - Returns: Nil if the provider never has any.
    private func next(_ early: inout Set<UUID>) async throws(TillError) -> ProviderNews? {
        let cursor = try await access.read { try $0.settings()[Self.settingName] }
        guard let news = try await provider.news(after: cursor) else {
            return nil
        }
        for reversal in news.reversals {
            guard reversal.isStorable else {
                logFailure(aboutPayment: reversal.paymentID, "its name has the character U+0000")
                continue
            }
            let isEarly = try await store(aboutPayment: reversal.paymentID) { context in
                try parts.refunding.follow(reversal, &context)
            }
            if isEarly == true {
                early.insert(reversal.paymentID)
            }
        }
        for change in news.methods {
            _ = try await store(aboutPayment: change.payments.first) { try parts.renewing.follow(change, &$0) }
        }
        if news.cursor != cursor {
            try await access.commit(isOwn: true) { context in
                .success(try context.ledger.setSetting(Self.settingName, to: news.cursor))
            }
        }
        return news
    }

    /// A row that cannot be read keeps no other payment's news back.
    ///
    /// - Returns: What `follow` returns; nil if a row cannot be read.
    private func store<Result: Sendable>(
        aboutPayment id: UUID?,
        _ follow: @escaping @Sendable (inout CommandContext) throws -> Result
    ) async throws(TillError) -> Result? {
        do throws(TillError) {
            return try await access.commit(isOwn: true) { context in
                .success(try follow(&context))
            }
        } catch  where error.code == .dataLoss {
            logFailure(aboutPayment: id, error.message)
            return nil
        }
    }

    private func logFailure(aboutPayment id: UUID?, _ reason: String) {
        access.logger.error(
            "The provider's news about a payment cannot be stored",
            metadata: ["transaction.id": "\(id?.text ?? "")", "error": "\(reason)"]
        )
    }
}
