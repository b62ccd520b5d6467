import FoundationEssentials
import TillModel

/// The values behind the golden bytes. Identities have 16 equal bytes, so that they are easy to see in hexadecimal.
enum Sample {
    static func uuid(_ byte: UInt8) -> UUID {
        UUID(uuid: (byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte))
    }

    static let payment = Payment(id: uuid(0x11), productID: "a.b", quantity: 2)
    static let purchase = PurchaseIdentity(
        transactionIdentifier: "42",
        transactionDate: Date(millisecondsSince1970: 300)
    )
    static let error = PaymentError(.paymentCancelled, "no", moneyMoved: .yes, retry: .never, providerCode: "x")
    static let transaction = Transaction(id: uuid(0x11), revision: 300, state: .purchasing, payment: payment)
    static let period = SubscriptionPeriod(unit: .month, value: 1)
    static let offer = SubscriptionOffer(
        id: "o",
        type: .winBack,
        paymentMode: .freeTrial,
        price: Price(amount: 0, currency: "EUR"),
        period: period,
        periodCount: 3
    )
    static let product = Product(
        id: "a.b",
        type: .nonConsumable,
        displayName: "N",
        description: "D",
        price: price,
        locale: "en"
    )
    static let price = Price(amount: Decimal(499) / 100, currency: "USD")

    /// The bytes of ``payment``, 25 of them.
    static let paymentHex = "0A10 11111111111111111111111111111111 1203 612E62 1802"
    /// The bytes of ``transaction``, 48 of them.
    static let transactionHex = "0A10 11111111111111111111111111111111 10AC02 2219 \(paymentHex)"
    /// The bytes of ``product``, 30 of them.
    static let productHex = "0A03 612E62 1001 1A014E 220144 2A0B \(priceHex) 3202 656E"
    /// The bytes of ``price``, 11 of them.
    static let priceHex = "0A04 342E3939 1203 555344"
}
