import TillModel
import TillWire

extension Golden {
    /// The requests and responses of the payment queue.
    static let paymentQueue: [Golden] = [
        Golden(
            HelloRequest(application: "a.b", capabilities: ["x", "yz"], client: "c/1"),
            "0801 1001 1A03 612E62 2201 78 2202 797A 2A03 632F31"
        ),
        Golden(
            HelloResponse(
                capabilities: ["x"],
                server: "s",
                account: "uid:1",
                ledgerID: Sample.uuid(0x44),
                heartbeat: .seconds(30)
            ),
            "0801 120178 1A0173 2205 7569643A31 2A10 44444444444444444444444444444444 30B0EA01"
        ),
        Golden(CanMakePaymentsRequest(), ""),
        Golden(note: "yes", CanMakePaymentsResponse(canMakePayments: true), "0801"),
        Golden(note: "no", CanMakePaymentsResponse(canMakePayments: false), ""),
        Golden(AddPaymentRequest(payment: Sample.payment), "0A19 \(Sample.paymentHex)"),
        Golden(AddPaymentResponse(transaction: Sample.transaction), "0A30 \(Sample.transactionHex)"),
        Golden(
            FinishTransactionRequest(transactionID: Sample.uuid(0x11)),
            "0A10 11111111111111111111111111111111"
        ),
        Golden(FinishTransactionResponse(revision: .max), "08FFFFFFFFFFFFFFFFFF01"),
        Golden(note: "the first", ListTransactionsRequest(), ""),
        Golden(
            note: "a later one",
            ListTransactionsRequest(pageSize: 5, pageToken: 300, includesFinished: true),
            "0805 10AC02 1801"
        ),
        Golden(
            ListTransactionsResponse(transactions: [Sample.transaction, Sample.transaction], nextPageToken: 7),
            "0A30 \(Sample.transactionHex) 0A30 \(Sample.transactionHex) 1007"
        ),
        Golden(
            note: "of everyone",
            RestoreCompletedTransactionsRequest(restoreID: Sample.uuid(0x55)),
            "0A10 55555555555555555555555555555555"
        ),
        Golden(
            note: "of the empty username",
            RestoreCompletedTransactionsRequest(restoreID: Sample.uuid(0x55), applicationUsername: ""),
            "0A10 55555555555555555555555555555555 1200"
        ),
        Golden(
            RestoreCompletedTransactionsResponse(
                restoreID: Sample.uuid(0x55),
                revision: 9,
                state: .finished,
                restoredCount: 3
            ),
            "0A10 55555555555555555555555555555555 1009 1801 2003"
        ),
        Golden(note: "from the start", ObserveRequest(observerID: 1), "0801"),
        Golden(
            note: "from a cursor",
            ObserveRequest(observerID: 1, after: 0, window: 2, batchSize: 3),
            "0801 1000 1802 2003"
        ),
        Golden(
            note: "in an initial delivery",
            ObserveRequest(observerID: 1, after: 7, resumesInitialDelivery: true),
            "0801 1007 2801"
        ),
        Golden(note: "a heartbeat", as: "ObserveResponse", EventBatch(revision: 5, events: []), "0805"),
        Golden(note: "every event", as: "ObserveResponse", EventBatch(revision: 5, events: events), eventsHex),
        Golden(as: "Event", QueueEvent.updated(Sample.transaction), "0A30 \(Sample.transactionHex)"),
        Golden(AcknowledgeRequest(observerID: 1, revision: 300), "0801 10AC02"),
        Golden(AcknowledgeResponse(), ""),
        Golden(CancelRequest(callID: "c"), "0A0163"),
        Golden(note: "of an observer", CancelRequest(observerID: 0), "1000"),
        Golden(note: "of a watch", CancelRequest(observerID: 300, watchID: 7), "10AC02 1807"),
        Golden(CancelResponse(found: true), "0801"),
    ]

    /// The requests and responses of the other services.
    static let others: [Golden] = [
        Golden(note: "of everything", ProductsRequest(), ""),
        Golden(
            note: "by identifier",
            ProductsRequest(productIDs: ["a", ""], pageToken: "t", locale: "de"),
            "0A0161 0A00 120174 1A02 6465"
        ),
        Golden(
            ProductsResponse(
                products: [Sample.product],
                invalid: [InvalidProduct(productID: "z", reason: "")],
                nextPageToken: "t"
            ),
            "0A1E \(Sample.productHex) 1203 0A017A 1A0174"
        ),
        Golden(StorefrontRequest(), ""),
        Golden(
            as: "StorefrontResponse",
            Storefront(countryCode: "USA", identifier: "143441"),
            "0A03 555341 1206 313433343431"
        ),
        Golden(HealthCheckRequest(service: "a"), "0A0161"),
        Golden(HealthCheckResponse(status: .serving), "0801"),
    ]

    private static let events: [QueueEvent] = [
        .initialDeliveryStarted(isReset: true),
        .updated(Sample.transaction),
        .initialDeliveryEnded,
        .removed(Sample.transaction),
        .restoreFinished(id: Sample.uuid(0x55), count: 3),
        .restoreFailed(id: Sample.uuid(0x55), error: Sample.error),
    ]

    private static let eventsHex = """
        0805
        1204 2A02 0801  # initial_delivery_started
        1232 0A30 \(Sample.transactionHex)  # updated
        1202 3200  # initial_delivery_ended
        1232 1230 \(Sample.transactionHex)  # removed
        1216 1A14 0A10 55555555555555555555555555555555 1003  # restore_finished
        1221 221F 0A10 55555555555555555555555555555555 120B 0802 1202 6E6F 1802 2A01 78  # restore_failed
        """
}
