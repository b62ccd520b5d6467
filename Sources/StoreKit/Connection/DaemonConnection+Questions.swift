import Foundation
import TillClient
import TillModel

/// The questions to observers and the delegate.
extension DaemonConnection {
    /// Asks the observers whether to add a payment that the store requested.
    func offer(_ payment: Payment) async {
        guard let product = try? await client.products([payment.productID]).products.first else {
            return
        }
        await deliver { connection in
            let offered = SKPayment(payment)
            let product = SKProduct(product)
            var isWanted = false
            connection.observerList.notify { queue, observer in
                let answer = OptionalMethod.answer {
                    observer.paymentQueue(queue, shouldAddStorePayment: offered, for: product)
                }
                isWanted = answer == true || isWanted
            }
            if isWanted {
                connection.add(payment)
            }
        }
    }

    /// Reports a new storefront and asks the delegate whether pending purchases continue there.
    func change(to storefront: Storefront) async {
        let before = withState { state in
            state.storefront = storefront
            return state.refused
        }
        await deliver { connection in
            let shown = SKStorefront(countryCode: storefront.countryCode, identifier: storefront.identifier)
            for (id, transaction) in connection.withState({ $0.registry.purchasesInProgress })
            where !connection.continues(transaction, in: shown) {
                connection.withState { _ = $0.refused.insert(id) }
            }
            connection.observerList.notify { $1.paymentQueueDidChangeStorefront($0) }
            NotificationCenter.default.post(name: .SKStorefrontCountryCodeDidChange, object: nil)
        }
        for id in withState({ $0.refused }).subtracting(before) {
            // Purchases that are already charged continue.
            _ = try? await client.cancel(paymentID: id)
        }
    }

    private func continues(_ transaction: SKPaymentTransaction, in storefront: SKStorefront) -> Bool {
        guard let queue = observerList.queue, let delegate = observerList.delegate else {
            return true
        }
        let clock = ContinuousClock()
        let start = clock.now
        let answer = delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront)
        return answer && clock.now - start <= storefrontAnswer
    }

    /// Asks the delegate whether to ask the user for consent to a higher price, if a subscription needs it.
    func askForPriceConsent() async {
        guard observerList.delegate != nil else {
            return
        }
        do {
            for try await subscription in client.subscriptions where subscription.priceConsent == .pending {
                await deliver { connection in
                    if let queue = connection.observerList.queue {
                        _ = connection.observerList.delegate?.paymentQueueShouldShowPriceConsent(queue)
                    }
                }
                return
            }
        } catch {
            return
        }
    }
}
