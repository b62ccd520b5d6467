import Foundation
import TillClient
import TillModel

/// What observers and the delegate are asked.
extension StoreLink {
    /// Asks the observers whether to add a payment that the store wants made.
    func offer(_ payment: Payment) async {
        guard let product = try? await client.products([payment.productID]).products.first else {
            return
        }
        await deliver { link in
            let offered = SKPayment(payment)
            let product = SKProduct(product)
            var isWanted = false
            link.audience.tell { queue, observer in
                let answer = Implementation.answer {
                    observer.paymentQueue(queue, shouldAddStorePayment: offered, for: product)
                }
                isWanted = answer == true || isWanted
            }
            if isWanted {
                link.add(payment)
            }
        }
    }

    /// Tells of another storefront, and asks the delegate whether what is under way goes on there.
    func change(to storefront: Storefront) async {
        let before = withState { state in
            state.storefront = storefront
            return state.refused
        }
        await deliver { link in
            let shown = SKStorefront(countryCode: storefront.countryCode, identifier: storefront.identifier)
            for (id, transaction) in link.withState({ $0.registry.unsettled })
            where !link.goesOn(transaction, in: shown) {
                link.withState { _ = $0.refused.insert(id) }
            }
            link.audience.tell { $1.paymentQueueDidChangeStorefront($0) }
            NotificationCenter.default.post(name: .SKStorefrontCountryCodeDidChange, object: nil)
        }
        for id in withState({ $0.refused }).subtracting(before) {
            // What is charged already goes on.
            _ = try? await client.cancel(paymentID: id)
        }
    }

    private func goesOn(_ transaction: SKPaymentTransaction, in storefront: SKStorefront) -> Bool {
        guard let queue = audience.queue, let delegate = audience.delegate else {
            return true
        }
        let clock = ContinuousClock()
        let start = clock.now
        let answer = delegate.paymentQueue(queue, shouldContinue: transaction, in: storefront)
        return answer && clock.now - start <= storefrontAnswer
    }

    /// Asks the delegate whether the user may be asked for consent to a higher price, if any waits for it.
    func askForPriceConsent() async {
        guard audience.delegate != nil else {
            return
        }
        do {
            for try await subscription in client.subscriptions where subscription.priceConsent == .pending {
                await deliver { link in
                    if let queue = link.audience.queue {
                        _ = link.audience.delegate?.paymentQueueShouldShowPriceConsent(queue)
                    }
                }
                return
            }
        } catch {
            return
        }
    }
}
