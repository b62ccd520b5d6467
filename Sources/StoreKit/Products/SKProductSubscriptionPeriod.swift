public import CStoreKit
public import Foundation

/// A length of time in calendar units (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod).
// Its stored properties are constants of Sendable types.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let fields: (count: Int, unit: SKProduct.PeriodUnit)

    /// Creates a period of zero days.
    public override init() {
        fields = (0, .day)
        super.init()
    }

    init(numberOfUnits: Int, unit: SKProduct.PeriodUnit) {
        fields = (numberOfUnits, unit)
        super.init()
    }

    /// The number of units
    /// (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod/numberofunits).
    open var numberOfUnits: Int { fields.count }

    /// The calendar unit (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod/unit).
    open var unit: SKProduct.PeriodUnit { fields.unit }
}
