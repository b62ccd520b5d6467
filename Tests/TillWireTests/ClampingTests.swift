import FoundationEssentials
import TillModel
import TillWire
import Testing

@Suite struct ClampingTests {
    @Test(arguments: [(Int.min, 0), (-1, 0), (0, 0), (Int(UInt32.max), Int(UInt32.max)), (.max, Int(UInt32.max))])
    func aQuantityOutOfRangeIsSentAsTheNearest(_ quantity: Int, _ sent: Int) throws {
        var payment = Sample.payment
        payment.quantity = quantity
        #expect(try Payment(wire: payment.wireBytes()).quantity == sent)
    }

    @Test(arguments: [
        (Duration.zero, Duration.zero), (.seconds(-5), .zero), (.microseconds(1999), .milliseconds(1)),
        (.seconds(Int64.max), .milliseconds(UInt32.max)), (.seconds(Int64.min), .zero),
        (.seconds(Int64.max / 1000), .milliseconds(UInt32.max)),
    ])
    func aHeartbeatIsSentInWholeMilliseconds(_ heartbeat: Duration, _ sent: Duration) throws {
        let response = HelloResponse(server: "", account: "", ledgerID: Sample.uuid(1), heartbeat: heartbeat)
        #expect(try HelloResponse(wire: response.wireBytes()).heartbeat == sent)
    }

    @Test(arguments: [
        (Duration.microseconds(-1999), Duration.milliseconds(-1)),
        (.seconds(Int64.max), .milliseconds(Int64.max)),
        (.seconds(Int64.min), .milliseconds(Int64.min)),
        (.milliseconds(Int64.max) + .milliseconds(1), .milliseconds(Int64.max)),
    ])
    func aClocksOffsetIsSentInWholeMilliseconds(_ offset: Duration, _ sent: Duration) throws {
        let reading = ClockReading(now: Sample.date(0), offset: offset)
        #expect(try ClockReading(wire: reading.wireBytes()).offset == sent)
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)])
    func noDateTraps(_ date: Date) throws {
        let purchase = PurchaseIdentity(transactionIdentifier: "1", transactionDate: date)
        #expect(throws: Never.self) { try PurchaseIdentity(wire: purchase.wireBytes()) }
    }

    @Test func anErrorCodeBeyondTheWireIsSentAsTheNearest() throws {
        let error = PaymentError(.init(rawValue: .max), "")
        #expect(try PaymentError(wire: error.wireBytes()).code.rawValue == Int(Int32.max))
    }

    @Test func textWithNULIsRefusedWhereItArrives() {
        var payment = Sample.payment
        payment.applicationUsername = "a\0b"
        #expect(throws: TillError.self) { try Payment(wire: payment.wireBytes()) }
    }
}
