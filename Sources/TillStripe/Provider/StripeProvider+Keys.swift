import FoundationEssentials
import Logging
import TillEngine
import TillModel

extension StripeProvider {
    /// How often to look for another key.
    static let keyInterval = Duration.seconds(10)

    /// Proves that keys belong to the merchant's account, and uses them then. Until the first is proven, all other calls are
    /// put off.
    ///
    /// - Throws: `failedPrecondition` if the key of the start belongs to another account.
    package func run() async throws {
        var pending = api.unprovenKey
        while true {
            pending = configuration.key() ?? pending
            if let key = pending, try await use(key) {
                pending = nil
            }
            try await time.sleep(for: Self.keyInterval)
        }
    }

    /// - Returns: Whether the key is decided about; false if Stripe could not be asked.
    private func use(_ key: StripeKey) async throws(TillError) -> Bool {
        let account: String
        do throws(TillError) {
            account = try await api.accountID(of: key)
        } catch  where error.code == .unavailable {
            return false
        } catch {
            logger.error("Stripe's new key is not used: \(error.message)")
            return true
        }
        guard account == configuration.account else {
            guard api.unprovenKey == nil else {
                throw TillError(
                    .failedPrecondition,
                    "Stripe's key belongs to the account \(account), but the ledger to \(configuration.account): use a key of that account."
                )
            }
            logger.error(
                "Stripe's new key is not used: it belongs to another account",
                metadata: ["stripe.account": "\(account)"]
            )
            return true
        }
        api.use(key)
        logger.notice("Stripe's key is in use", metadata: ["stripe.account": "\(account)"])
        return true
    }
}
