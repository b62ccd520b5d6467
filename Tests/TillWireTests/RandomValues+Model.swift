import FoundationEssentials
import TestValues
import TillModel

extension SplitMix64 {
    mutating func payment() -> Payment {
        Payment(
            id: uuid(),
            productID: text(),
            quantity: number(),
            applicationUsername: optional { $0.text() },
            requestData: optional { $0.bytes() },
            discount: optional { $0.discount() },
            simulatesAskToBuyInSandbox: flag()
        )
    }

    mutating func discount() -> PaymentDiscount {
        PaymentDiscount(
            identifier: text(),
            keyIdentifier: text(),
            nonce: uuid(),
            signature: text(),
            timestamp: date()
        )
    }

    mutating func purchase() -> PurchaseIdentity {
        PurchaseIdentity(transactionIdentifier: text(), transactionDate: date())
    }

    mutating func paymentError() -> PaymentError {
        PaymentError(
            PaymentError.Code(rawValue: Int(Int32(truncatingIfNeeded: next()))),
            text(),
            moneyMoved: element(of: MoneyMoved.self),
            retry: element(of: RetrySafety.self),
            reason: element(of: FailureReason.self),
            providerCode: optional { $0.text(from: 1) }
        )
    }

    mutating func transaction() -> Transaction {
        Transaction(
            id: uuid(),
            revision: next(),
            state: element(of: TransactionState.self),
            payment: payment(),
            purchase: optional { $0.purchase() },
            error: optional { $0.paymentError() },
            original: optional { OriginalTransaction(id: $0.uuid(), purchase: $0.purchase()) },
            blocker: optional { $0.element(of: Blocker.self) },
            deadline: optional { $0.date() },
            continues: optional { $0.uuid() },
            revocation: optional { $0.revocation() },
            subscription: optional { $0.term() },
            receipt: optional { $0.text(from: 1) },
            downloads: list { $0.download() },
            isFinished: flag()
        )
    }

    mutating func event() -> QueueEvent {
        switch Int.random(in: 0...9, using: &self) {
        case 0: .updated(transaction())
        case 1: .removed(transaction())
        case 2: .restoreFinished(id: uuid(), count: number())
        case 3: .restoreFailed(id: uuid(), error: paymentError())
        case 4: .initialDeliveryStarted(isReset: flag())
        case 5: .revoked(transaction())
        case 6: .storePaymentRequested(payment())
        case 7: .storefrontChanged(Storefront(countryCode: text(), identifier: text()))
        case 8: .downloadsUpdated(list { $0.download() })
        default: .initialDeliveryEnded
        }
    }

    mutating func price() -> Price {
        Price(amount: Decimal(number()) / 1000, currency: text())
    }

    mutating func period() -> SubscriptionPeriod {
        SubscriptionPeriod(unit: element(of: SubscriptionPeriod.Unit.self), value: number())
    }

    mutating func offer() -> SubscriptionOffer {
        SubscriptionOffer(
            id: optional { $0.text(from: 1) },
            type: element(of: SubscriptionOffer.OfferType.self),
            paymentMode: element(of: SubscriptionOffer.PaymentMode.self),
            price: price(),
            period: period(),
            periodCount: number()
        )
    }

    mutating func subscription() -> SubscriptionInfo {
        SubscriptionInfo(
            groupID: text(),
            groupName: text(),
            level: number(),
            period: period(),
            offers: list { $0.offer() }
        )
    }

    mutating func product() -> Product {
        Product(
            id: text(),
            type: element(of: ProductType.self),
            displayName: text(),
            description: text(),
            price: price(),
            locale: text(),
            isFamilyShareable: flag(),
            subscription: optional { $0.subscription() },
            contents: list { $0.content() }
        )
    }
}
