import StoreKit
import Testing

@Suite struct EnumerationTests {
    @Test("C22: enumerations are open, except the state of downloads")
    func enumerationsAreOpen() {
        #expect(SKPaymentTransactionState(rawValue: 10)?.rawValue == 10)
        #expect(SKProduct.PeriodUnit(rawValue: 10)?.rawValue == 10)
        #expect(SKProductDiscount.PaymentMode(rawValue: 10)?.rawValue == 10)
        #expect(SKProductDiscountType(rawValue: 10)?.rawValue == 10)
        #expect(SKError.Code(rawValue: -1009)?.rawValue == -1009)
        // Compiles without `@unknown default`, so the enumeration is closed.
        let closed: Int =
            switch SKDownloadState.paused {
            case .waiting, .active: 0
            case .paused: 1
            case .finished, .failed, .cancelled: 2
            }
        #expect(closed == 1)
        let open: Int =
            switch SKPaymentTransactionState.failed {
            case .purchasing, .purchased, .restored, .deferred: 0
            case .failed: 1
            @unknown default: 2
            }
        #expect(open == 1)
    }

    @Test("C23: enumerations are nested under Apple's names")
    func enumerationsAreNested() {
        let unit: SKProduct.PeriodUnit = .month
        let mode: SKProductDiscount.PaymentMode = .freeTrial
        let type: SKProductDiscount.`Type` = .subscription
        #expect(unit.rawValue == 2 && mode.rawValue == 2 && type.rawValue == 1)
    }

    @Test("C24: raw values are Apple's, in Apple's types")
    func rawValues() {
        let states: [Int] = [
            SKPaymentTransactionState.purchasing, .purchased, .failed, .restored, .deferred,
        ].map(\.rawValue)
        #expect(states == [0, 1, 2, 3, 4])
        let downloads: [Int] = [SKDownloadState.waiting, .active, .paused, .finished, .failed, .cancelled].map(
            \.rawValue
        )
        #expect(downloads == [0, 1, 2, 3, 4, 5])
        let units: [UInt] = [SKProduct.PeriodUnit.day, .week, .month, .year].map(\.rawValue)
        #expect(units == [0, 1, 2, 3])
        let modes: [UInt] = [SKProductDiscount.PaymentMode.payAsYouGo, .payUpFront, .freeTrial].map(\.rawValue)
        #expect(modes == [0, 1, 2])
        let types: [UInt] = [SKProductDiscountType.introductory, .subscription].map(\.rawValue)
        #expect(types == [0, 1])
        let codes: [SKError.Code] = [
            .unknown, .clientInvalid, .paymentCancelled, .paymentInvalid, .paymentNotAllowed, .storeProductNotAvailable,
            .cloudServicePermissionDenied, .cloudServiceNetworkConnectionFailed, .cloudServiceRevoked,
            .privacyAcknowledgementRequired, .unauthorizedRequestData, .invalidOfferIdentifier, .invalidSignature,
            .missingOfferParams, .invalidOfferPrice, .overlayCancelled, .overlayInvalidConfiguration, .overlayTimeout,
            .ineligibleForOffer, .unsupportedPlatform, .overlayPresentedInBackgroundScene,
        ]
        #expect(codes.map(\.rawValue) == Array(0...20))
        let counts: (Int, Int, Int) = (
            SKProductSubscriptionPeriod().numberOfUnits, SKProductDiscount().numberOfPeriods, 1
        )
        #expect(counts == (0, 0, SKPayment().quantity))
    }

    @Test("C25: constants have their types and values")
    func constants() {
        let unknown: TimeInterval = SKDownloadTimeRemainingUnknown
        let names: [String] = [
            SKErrorDomain, SKReceiptPropertyIsExpired, SKReceiptPropertyIsRevoked, SKReceiptPropertyIsVolumePurchase,
        ]
        #expect(unknown == -1 && names == ["SKErrorDomain", "expired", "revoked", "vpp"])
    }
}
