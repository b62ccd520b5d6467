import FoundationEssentials
import TestValues
import TillModel

extension SplitMix64 {
    mutating func revocation() -> Revocation {
        Revocation(date: date(), reason: element(of: Revocation.Reason.self), quantity: number())
    }

    mutating func appliedOffer() -> AppliedOffer {
        AppliedOffer(
            type: element(of: SubscriptionOffer.OfferType.self),
            id: optional { $0.text(from: 1) },
            paymentMode: element(of: SubscriptionOffer.PaymentMode.self)
        )
    }

    mutating func term() -> SubscriptionTerm {
        SubscriptionTerm(
            groupID: text(),
            startDate: date(),
            expirationDate: date(),
            isRenewal: flag(),
            offer: optional { $0.appliedOffer() },
            isUpgraded: flag(),
            collapsedCount: number()
        )
    }

    mutating func status() -> SubscriptionStatus {
        SubscriptionStatus(
            groupID: text(),
            productID: text(),
            renewalProductID: text(),
            state: element(of: SubscriptionState.self),
            expirationDate: date(),
            gracePeriodExpirationDate: optional { $0.date() },
            willAutoRenew: flag(),
            expirationReason: optional { $0.element(of: ExpirationReason.self) },
            priceConsent: element(of: PriceConsent.self),
            renewalPrice: price(),
            originalID: uuid(),
            originalTransactionIdentifier: text(),
            latestID: uuid(),
            renewalInfo: optional { $0.text(from: 1) }
        )
    }

    mutating func entitlement() -> Entitlement {
        Entitlement(
            productID: text(),
            productType: element(of: ProductType.self),
            transactionID: uuid(),
            transactionIdentifier: text(),
            purchaseDate: date(),
            expirationDate: optional { $0.date() },
            subscription: optional { $0.status() }
        )
    }

    mutating func authorizationEvent() -> AuthorizationEvent {
        flag()
            ? .requested(authorizationRequest())
            : .withdrawn(id: uuid(), kind: element(of: AuthorizationRequest.Kind.self))
    }

    mutating func authorizationRequest() -> AuthorizationRequest {
        AuthorizationRequest(
            id: uuid(),
            kind: element(of: AuthorizationRequest.Kind.self),
            application: text(),
            account: text(),
            productID: text(),
            displayName: text(),
            quantity: number(),
            price: price(),
            locale: text(),
            applicationUsername: optional { $0.text() },
            createdAt: date(),
            deadline: date()
        )
    }

    mutating func paymentMethod() -> PaymentMethod {
        PaymentMethod(
            id: text(),
            type: text(),
            brand: optional { $0.text(from: 1) },
            lastDigits: optional { $0.text(from: 1) },
            expirationMonth: optional { $0.text(from: 1) },
            isDefault: flag()
        )
    }
}
