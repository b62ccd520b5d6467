import FoundationEssentials
import Testing
import TillClient
import TillModel

@Suite("When what was handed over is acknowledged")
struct ChangeReaderTests {
    private static let plain = EventBatch(
        revision: 7,
        events: [.storefrontChanged(Storefront(countryCode: "DEU", identifier: "143443"))]
    )
    private static let durable = EventBatch(
        revision: 8,
        events: [.storePaymentRequested(Payment(productID: "coins"))]
    )

    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
    func halfAWindowIsAcknowledgedTogether(window: Int, batches: Int) {
        var reader = ChangeReader(cursor: 1, window: window)
        #expect(reader.acknowledgementDue == nil)
        for _ in 1..<batches {
            reader.read(Self.plain)
            #expect(reader.acknowledgementDue == nil)
        }
        reader.read(Self.plain)
        #expect(reader.acknowledgementDue == 7)
        reader.acknowledged()
        #expect(reader.acknowledgementDue == nil)
    }

    @Test func whatIsDeliveredUntilItIsAcknowledgedIsSoAtOnce() {
        var reader = ChangeReader(cursor: 1, window: 16)
        reader.read(Self.plain)
        reader.read(Self.durable)
        #expect(reader.acknowledgementDue == 8)
    }

    @Test func nothingOfALostStreamIsAcknowledged() {
        var reader = ChangeReader(cursor: 1, window: 16)
        reader.read(Self.durable)
        reader.lose("The connection was lost.")
        reader.attach(toLedger: UUID())
        #expect(reader.acknowledgementDue == nil)
    }
}
