import Foundation
import NIOCore
import Testing
import TillModel
import TillWire

@testable import TTRPC

/// The page's worked bytes are those that the code writes, and the code reads them.
@Suite struct BytesTests {
    private let payment: Payment
    private let ledgerID: UUID

    init() throws {
        let id = try #require(UUID(uuidString: "01970000-0000-7000-8000-0000000000AA"))
        payment = Payment(id: id, productID: "org.example.notes.coins10", quantity: 2)
        ledgerID = try #require(UUID(uuidString: "01970000-0000-7000-8000-0000000000BB"))
    }

    private var hello: HelloRequest {
        HelloRequest(application: "org.example.notes", client: "demo/1")
    }

    private var helloResponse: HelloResponse {
        HelloResponse(
            protocolVersion: 1,
            capabilities: [],
            server: "tilld/0.1.0",
            account: "uid:1000",
            ledgerID: ledgerID,
            heartbeat: .seconds(45)
        )
    }

    private var addPaymentResponse: AddPaymentResponse {
        AddPaymentResponse(
            transaction: Transaction(id: payment.id, revision: 1, state: .purchasing, payment: payment)
        )
    }

    private var requests: [RequestEnvelope] {
        [
            RequestEnvelope(
                service: PaymentQueueMethod.service,
                method: PaymentQueueMethod.hello.rawValue,
                payload: hello.wireBytes(),
                timeout: 5_000_000_000
            ),
            RequestEnvelope(
                service: PaymentQueueMethod.service,
                method: PaymentQueueMethod.addPayment.rawValue,
                payload: AddPaymentRequest(payment: payment).wireBytes(),
                timeout: 30_000_000_000,
                metadata: ["call-id": "add-1"]
            ),
        ]
    }

    @Test func thePageHasTheFramesThatAreWritten() throws {
        let frames = [
            frame(.request, 1) { requests[0].write(to: &$0) },
            frame(.response, 1) { ResponseEnvelope.success(helloResponse.wireBytes()).write(to: &$0) },
            frame(.request, 3) { requests[1].write(to: &$0) },
            frame(.response, 3) { ResponseEnvelope.success(addPaymentResponse.wireBytes()).write(to: &$0) },
        ]
        #expect(try ProtocolPage.frames() == frames)
    }

    @Test func thePagesFramesAreRead() throws {
        var reader = FrameReader(lengthMaximum: Frame.lengthDefault)
        reader.append(ByteBuffer(bytes: try ProtocolPage.frames().joined()))
        var frames: [Frame] = []
        while case .frame(let frame) = reader.next() {
            frames.append(frame)
        }
        try #require(frames.map(\.header.streamID) == [1, 1, 3, 3])
        #expect(try RequestEnvelope(wire: frames[0].data) == requests[0])
        #expect(try HelloRequest(wire: requests[0].payload) == hello)
        #expect(try HelloResponse(wire: ResponseEnvelope(wire: frames[1].data).get()) == helloResponse)
        #expect(try RequestEnvelope(wire: frames[2].data) == requests[1])
        #expect(try AddPaymentRequest(wire: requests[1].payload).payment == payment)
        #expect(try AddPaymentResponse(wire: ResponseEnvelope(wire: frames[3].data).get()) == addPaymentResponse)
    }

    private func frame(_ type: FrameType, _ stream: UInt32, body: (inout ByteBuffer) -> Void) -> [UInt8] {
        var buffer = ByteBuffer()
        let isWritten = buffer.writeFrame(type, streamID: stream, lengthMaximum: Frame.lengthDefault, body: body)
        #expect(isWritten)
        return Array(buffer: buffer)
    }
}
