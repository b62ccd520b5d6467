import FoundationEssentials
import Testing
import TillClient
import TillOutput
@testable import TillCommand

@Suite struct SubscriptionRenderingTests {
    private static let date = Date(millisecondsSince1970: 1_772_357_400_250)
    private static let status = SubscriptionStatus(
        groupID: "g",
        productID: "pro.monthly",
        renewalProductID: "pro.monthly",
        state: .subscribed,
        expirationDate: date,
        willAutoRenew: true,
        renewalPrice: Price(minorUnits: 190, currency: "USD"),
        originalID: UUID(high: 0, low: 1),
        originalTransactionIdentifier: "17",
        latestID: UUID(high: 0, low: 2)
    )

    @Test func aSubscriptionIsARow() throws {
        let line = SubscriptionStatusLine(status: Self.status)
        #expect(SubscriptionStatusLine.headings == ["PRODUCT", "STATE", "EXPIRES", "RENEWS", "PRICE", "ID"])
        #expect(
            line.columns == [
                "pro.monthly", "subscribed", "2026-03-01T09:30:00.250Z", "yes", "1.90 USD",
                "00000000-0000-0000-0000-000000000002",
            ]
        )
        #expect(
            try line.json.text() == """
                {"currency":"USD","expiration_date":"2026-03-01T09:30:00.250Z","group_id":"g",\
                "latest_id":"00000000-0000-0000-0000-000000000002",\
                "original_id":"00000000-0000-0000-0000-000000000001","original_transaction_identifier":"17",\
                "price_consent":"none","product_id":"pro.monthly","renewal_price":"1.9",\
                "renewal_product_id":"pro.monthly","state":"subscribed","will_auto_renew":true}
                """
        )
    }

    @Test func renewalInformationIsInJSONUnchanged() throws {
        var status = Self.status
        status.renewalInfo = "header.body.signature"
        let json = try SubscriptionStatusLine(status: status).json.text()
        #expect(json.contains(#""renewal_info":"header.body.signature""#))
    }

    @Test func changesOfASubscriptionAreShown() throws {
        var status = Self.status
        status.renewalProductID = "pro.yearly"
        status.priceConsent = .pending
        #expect(SubscriptionStatusLine(status: status).renews == "as pro.yearly, price increase pending")
        status.willAutoRenew = false
        #expect(SubscriptionStatusLine(status: status).renews == "no")
        status.state = .expired
        status.expirationReason = .didNotConsentToPriceIncrease
        #expect(SubscriptionStatusLine(status: status).state == "expired (did not consent to price increase)")
        status.gracePeriodExpirationDate = Self.date.addingTimeInterval(1)
        #expect(SubscriptionStatusLine(status: status).expires == "2026-03-01T09:30:01.250Z")
        let json = try SubscriptionStatusLine(status: status).json.text()
        #expect(json.contains(#""expiration_reason":"did_not_consent_to_price_increase""#))
        #expect(json.contains(#""grace_period_expiration_date":"2026-03-01T09:30:01.250Z""#))
    }

    @Test func anEntitlementIsARow() throws {
        var entitlement = Entitlement(
            productID: "pro",
            productType: .nonConsumable,
            transactionID: UUID(high: 0, low: 3),
            transactionIdentifier: "18",
            purchaseDate: Self.date
        )
        #expect(
            EntitlementLine(entitlement: entitlement).columns
                == ["pro", "non-consumable", "owned", "-", "-", "-", "00000000-0000-0000-0000-000000000003"]
        )
        #expect(
            try EntitlementLine(entitlement: entitlement).json.text() == """
                {"product_id":"pro","purchase_date":"2026-03-01T09:30:00.250Z",\
                "transaction_id":"00000000-0000-0000-0000-000000000003","transaction_identifier":"18",\
                "type":"non_consumable"}
                """
        )
        entitlement.productType = .autoRenewableSubscription
        entitlement.expirationDate = Self.date
        entitlement.subscription = Self.status
        #expect(
            EntitlementLine(entitlement: entitlement).columns.dropLast() == [
                "pro", "auto-renewable subscription", "subscribed", "2026-03-01T09:30:00.250Z", "yes", "1.90 USD",
            ]
        )
        let json = try EntitlementLine(entitlement: entitlement).json.text()
        #expect(json.contains(#""expiration_date":"2026-03-01T09:30:00.250Z""#))
        #expect(json.contains(#""subscription":{"currency":"USD","#))
    }

    @Test func aTransactionHasItsPeriod() throws {
        var transaction = Transaction.purchased
        transaction.subscription = SubscriptionTerm(
            groupID: "g",
            startDate: Self.date,
            expirationDate: Self.date.addingTimeInterval(86400),
            isRenewal: true,
            offer: AppliedOffer(type: .winBack, id: "back", paymentMode: .payUpFront),
            isUpgraded: true,
            collapsedCount: 3
        )
        #expect(
            TransactionLine(transaction: transaction).text.hasSuffix(
                " from=2026-03-01T09:30:00.250Z to=2026-03-02T09:30:00.250Z renewal=yes "
                    + "offer=win-back:back/pay-up-front upgraded=yes older-renewals=3"
            )
        )
        #expect(
            try TransactionLine(transaction: transaction).json.text().contains(
                """
                "subscription":{"collapsed_count":3,"expiration_date":"2026-03-02T09:30:00.250Z","group_id":"g",\
                "is_renewal":true,"is_upgraded":true,"offer":{"id":"back","payment_mode":"pay_up_front",\
                "type":"win_back"},"start_date":"2026-03-01T09:30:00.250Z"}
                """
            )
        )
    }
}
