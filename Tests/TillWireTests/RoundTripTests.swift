import TillModel
import TillWire
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomValuesComeBackUnchanged(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try expectRoundTrip(AddPaymentRequest(payment: random.payment()))
        try expectRoundTrip(AddPaymentResponse(transaction: random.transaction()))
        try expectRoundTrip(EventBatch(revision: random.next(), events: random.list { $0.event() }))
        try expectRoundTrip(ListTransactionsResponse(transactions: random.list { $0.transaction() }))
        try expectRoundTrip(
            ProductsResponse(
                products: random.list { $0.product() },
                invalid: random.list { InvalidProduct(productID: $0.text(), reason: $0.text()) },
                nextPageToken: random.optional { $0.text(from: 1) }
            )
        )
        try expectRoundTrip(
            HelloRequest(application: random.text(), capabilities: random.list { $0.text() }, client: random.text())
        )
        try expectRoundTrip(
            ObserveRequest(
                observerID: UInt32(truncatingIfNeeded: random.next()),
                after: random.optional { $0.next() },
                window: random.number(),
                batchSize: random.number(),
                resumesInitialDelivery: random.next() % 2 == 0
            )
        )
    }

    private func expectRoundTrip<Value: WireMessage>(_ value: Value) throws {
        #expect(try Value(wire: value.wireBytes()) == value)
    }

    @Test(arguments: 0..<500 as Range<UInt64>)
    func randomBytesAreReadOrRefused(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = random.bytes()
        for golden in GoldenTests.all {
            do throws(TillError) {
                #expect(try golden.isReadStably(bytes))
            } catch {
                #expect(error.code == .invalidArgument)
            }
        }
    }
}
