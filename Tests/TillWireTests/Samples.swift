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

/// The values of downloads and receipts behind the golden bytes.
extension Sample {
    static let content = ProductContent(identifier: "c", version: "1.2", length: 300)
    static let download = Download(
        id: uuid(0x77),
        transactionID: uuid(0x11),
        productID: "a.b",
        content: content
    )

    static var activeDownload: Download {
        var download = download
        download.state = .active
        download.receivedBytes = 5
        download.timeRemaining = .zero
        return download
    }

    static var finishedDownload: Download {
        var download = download
        download.state = .finished
        download.receivedBytes = 300
        download.contentPath = "/d"
        return download
    }

    static var failedDownload: Download {
        var download = download
        download.state = .failed
        download.error = DownloadError(.checksum, "no")
        return download
    }

    /// The bytes of ``content``, 11 of them.
    static let contentHex = "0A01 63 1203 312E32 18AC02"
    /// The bytes of ``download``, 54 of them.
    static let downloadHex = """
        0A10 77777777777777777777777777777777 1210 11111111111111111111111111111111
        1A03 612E62 220B \(contentHex)

        """
    /// The bytes of ``activeDownload``, 60 of them.
    static let activeDownloadHex = "\(downloadHex) 2801 3005 3800"
}
