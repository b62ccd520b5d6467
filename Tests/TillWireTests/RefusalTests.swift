import TestValues
import TillModel
import TillWire
import Testing

@Suite struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var hex: String
        var message: String
        var read: @Sendable ([UInt8]) throws(TillError) -> Void

        init<Value: WireMessage>(_ type: Value.Type, _ hex: String, _ message: String) {
            testDescription = message
            self.hex = hex
            self.message = message
            read = { (bytes) throws(TillError) in _ = try Value(wire: bytes) }
        }
    }

    static let cases: [Case] = [
        Case(AddPaymentRequest.self, "", "AddPaymentRequest.payment: is missing"),
        Case(AddPaymentRequest.self, "0A00", "AddPaymentRequest.payment.id: must be the 16 bytes of a UUID"),
        Case(AddPaymentRequest.self, "0A03 1201 FF", "AddPaymentRequest.payment.product_id: is not UTF-8"),
        Case(AddPaymentRequest.self, "0A03 1201 00", "AddPaymentRequest.payment.product_id: contains a NUL character"),
        Case(AddPaymentRequest.self, "0A08 1201", "AddPaymentRequest.payment: ends too early"),
        Case(AddPaymentRequest.self, "0B", "AddPaymentRequest.#1: has the wrong wire type"),
        Case(AddPaymentRequest.self, "80", "AddPaymentRequest: ends too early"),
        Case(AddPaymentResponse.self, "", "AddPaymentResponse.transaction: is missing"),
        Case(Transaction.self, "0A10 11111111111111111111111111111111", "Transaction.payment: is missing"),
        Case(Transaction.self, "1863", "Transaction.state: is not a known value"),
        Case(
            FinishTransactionRequest.self,
            "0A11 1111111111111111111111111111111111",
            "FinishTransactionRequest.transaction_id: must be the 16 bytes of a UUID"
        ),
        Case(
            RestoreCompletedTransactionsRequest.self,
            "0A01 11",
            "RestoreCompletedTransactionsRequest.restore_id: must be the 16 bytes of a UUID"
        ),
        Case(HelloResponse.self, "", "HelloResponse.ledger_id: must be the 16 bytes of a UUID"),
        Case(EventBatch.self, "1200", "EventBatch.events.event: is missing"),
        Case(
            EventBatch.self,
            "1202 2200",
            "EventBatch.events.restore_failed.restore_id: must be the 16 bytes of a UUID"
        ),
        Case(EventBatch.self, "1204 2A00 3200", "EventBatch.events.initial_delivery_ended: occurs twice"),
        Case(
            Transaction.self,
            "\(Sample.transactionHex) 4807",
            "Transaction.blocker: is not a known value"
        ),
        Case(
            Transaction.self,
            "\(Sample.transactionHex) 5A01 11",
            "Transaction.continues: must be the 16 bytes of a UUID"
        ),
        Case(EventBatch.self, "1202 3A00", "EventBatch.events.revoked.id: must be the 16 bytes of a UUID"),
        Case(SubscriptionStatus.self, "", "SubscriptionStatus.state: is not a known value"),
        Case(WatchResponse.self, "1200", "WatchResponse.withdrawn.id: must be the 16 bytes of a UUID"),
        Case(WatchResponse.self, "0A00 1200", "WatchResponse.withdrawn: occurs twice"),
        Case(
            RequestPriceConsentRequest.self,
            "0A10 11111111111111111111111111111111 1A01 2D",
            "RequestPriceConsentRequest.amount: must be an amount like 4.99"
        ),
        Case(RefundResponse.self, "", "RefundResponse.refund: is missing"),
        Case(
            ReconciliationPage.self,
            "0A14 0A10 11111111111111111111111111111111 1807",
            "ReconciliationPage.rows.ledger_state: is not a known value"
        ),
        Case(Download.self, "", "Download.id: must be the 16 bytes of a UUID"),
        Case(
            Download.self,
            "0A10 77777777777777777777777777777777 1210 11111111111111111111111111111111",
            "Download.content: is missing"
        ),
        Case(Download.self, "\(Sample.downloadHex) 2806", "Download.state: is not a known value"),
        Case(Download.self, "\(Sample.downloadHex) 4200", "Download.error.reason: is not a known value"),
        Case(Download.self, "\(Sample.downloadHex) 3800 3800", "Download.time_remaining_ms: occurs twice"),
        Case(DownloadError.self, "080B", "DownloadError.reason: is not a known value"),
        Case(DownloadsRequest.self, "0A01 11", "DownloadsRequest.download_ids: must be the 16 bytes of a UUID"),
        Case(
            EventBatch.self,
            "1204 5202 0A00",
            "EventBatch.events.downloads_updated.downloads.id: must be the 16 bytes of a UUID"
        ),
        Case(Transaction.self, "\(Sample.transactionHex) 7201 FF", "Transaction.receipt: is not UTF-8"),
        Case(RebuildReceiptResponse.self, "", "RebuildReceiptResponse.transaction: is missing"),
        Case(Product.self, "", "Product.price: is missing"),
        Case(SubscriptionOffer.self, "2205 0A01 30 1200", "SubscriptionOffer.period: is missing"),
    ]

    @Test(arguments: cases)
    func aFaultIsNamedByMessageAndField(_ example: Case) {
        let error = #expect(throws: TillError.self) {
            try example.read([UInt8](hex: example.hex))
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message == example.message)
    }

    @Test(arguments: [
        "", ".", "4.", ".5", "-1", "+1", "1e3", "4,99", " 4", "4 ", "4.9.9", "0x10", "NaN", "٤", "4\u{0301}",
        String(repeating: "9", count: 39),
    ])
    func aPriceThatIsNotAnAmountIsRefused(_ amount: String) {
        let bytes = [0x0A, UInt8(amount.utf8.count)] + Array(amount.utf8)
        let error = #expect(throws: TillError.self) { try Price(wire: bytes) }
        #expect(error?.message == "Price.amount: must be an amount like 4.99")
    }

    @Test(arguments: ["0", "4.99", "007", "0.00", String(repeating: "9", count: 38)])
    func aPriceOfDigitsIsRead(_ amount: String) throws {
        let bytes = [0x0A, UInt8(amount.utf8.count)] + Array(amount.utf8)
        let price = try Price(wire: bytes)
        #expect(try Price(wire: price.wireBytes()) == price)
    }
}
