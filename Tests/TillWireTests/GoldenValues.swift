import FoundationEssentials
import TillModel
import TillWire

extension Golden {
    /// The messages of transaction.proto, and those of products.proto that are parts of others.
    static let values: [Golden] = [
        Golden(note: "plain", Sample.payment, Sample.paymentHex),
        Golden(
            note: "with everything",
            Payment(
                id: Sample.uuid(0x11),
                productID: "a.b",
                quantity: 2,
                applicationUsername: "u",
                requestData: [0, 0xFF],
                discount: PaymentDiscount(
                    identifier: "i",
                    keyIdentifier: "k",
                    nonce: Sample.uuid(0x22),
                    signature: "s",
                    timestamp: Date(millisecondsSince1970: 300)
                ),
                simulatesAskToBuyInSandbox: true
            ),
            """
            \(Sample.paymentHex)
            2201 75  # application_username
            2A02 00FF  # request_data
            321E  # discount
              0A01 69 1201 6B  # identifier, key_identifier
              1A10 22222222222222222222222222222222  # nonce
              2201 73 28AC02  # signature, timestamp_ms
            3801  # simulates_ask_to_buy_in_sandbox
            """
        ),
        Golden(
            note: "with what is present and empty",
            Payment(
                id: Sample.uuid(0x11),
                productID: "a.b",
                quantity: 2,
                applicationUsername: "",
                requestData: []
            ),
            "\(Sample.paymentHex) 2200 2A00"
        ),
        Golden(
            PaymentDiscount(
                identifier: "i",
                keyIdentifier: "k",
                nonce: Sample.uuid(0x22),
                signature: "s",
                timestamp: Date(millisecondsSince1970: -1)
            ),
            "0A0169 12016B 1A10 22222222222222222222222222222222 220173 28FFFFFFFFFFFFFFFFFF01"
        ),
        Golden(note: "purchasing", Sample.transaction, Sample.transactionHex),
        Golden(
            note: "restored and finished",
            Transaction(
                id: Sample.uuid(0x33),
                revision: 1,
                state: .restored,
                payment: Sample.payment,
                purchase: Sample.purchase,
                original: OriginalTransaction(id: Sample.uuid(0x11), purchase: Sample.purchase),
                isFinished: true
            ),
            """
            0A10 33333333333333333333333333333333 1001 1803  # id, revision, state
            2219 \(Sample.paymentHex)
            2A07 0A02 3432 10AC02  # purchase
            3A19 0A10 11111111111111111111111111111111 1202 3432 18AC02  # original
            4001  # is_finished
            """
        ),
        Golden(
            note: "failed",
            Transaction(
                id: Sample.uuid(0x11),
                revision: 300,
                state: .failed,
                payment: Sample.payment,
                error: Sample.error
            ),
            """
            0A10 11111111111111111111111111111111 10AC02 1802
            2219 \(Sample.paymentHex)
            320B 0802 1202 6E6F 1802 2A01 78  # error
            """
        ),
        Golden(Sample.purchase, "0A02 3432 10AC02"),
        Golden(
            OriginalTransaction(id: Sample.uuid(0x11), purchase: Sample.purchase),
            "0A10 11111111111111111111111111111111 1202 3432 18AC02"
        ),
        Golden(Sample.error, "0802 1202 6E6F 1802 2A01 78"),
        Golden(
            note: "of a code below zero",
            PaymentError(.init(rawValue: -1), "", moneyMoved: .no, retry: .safe),
            "08FFFFFFFFFFFFFFFFFF01 1801 2001"
        ),
        Golden(Sample.price, Sample.priceHex),
        Golden(Sample.period, "0802 1001"),
        Golden(Sample.offer, "0A016F 1003 1802 2208 0A0130 1203 455552 2A04 0802 1001 3003"),
        Golden(
            SubscriptionInfo(groupID: "g", groupName: "G", level: 1, period: Sample.period, offers: [Sample.offer]),
            """
            0A0167 120147 1801 2204 0802 1001
            2A19 0A016F 1003 1802 2208 0A0130 1203 455552 2A04 0802 1001 3003  # offers
            """
        ),
        Golden(Sample.product, Sample.productHex),
        Golden(
            note: "a subscription",
            Product(
                id: "s",
                type: .autoRenewableSubscription,
                displayName: "",
                description: "",
                price: Sample.price,
                locale: "",
                isFamilyShareable: true,
                subscription: SubscriptionInfo(groupID: "g", groupName: "", level: 2, period: Sample.period, offers: [])
            ),
            "0A0173 1003 2A0B \(Sample.priceHex) 3801 420B 0A0167 1802 2204 0802 1001"
        ),
        Golden(InvalidProduct(productID: "z", reason: "unknown"), "0A017A 1207 756E6B6E6F776E"),
    ]
}
