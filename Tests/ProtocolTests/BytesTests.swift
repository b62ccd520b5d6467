import Foundation
import NIOCore
import Testing
import TillModel
import TillWire

@testable import TTRPC

/// The code writes and reads the bytes of the page's examples.
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

    private var firstBatch: EventBatch {
        let date = Date(millisecondsSince1970: 1_767_225_600_000)
        let purchased = Transaction(
            id: payment.id,
            revision: 2,
            state: .purchased,
            payment: payment,
            purchase: PurchaseIdentity(transactionIdentifier: "1", transactionDate: date)
        )
        return EventBatch(
            revision: 2,
            events: [.initialDeliveryStarted(isReset: false), .updated(purchased), .initialDeliveryEnded]
        )
    }

    private func request(
        _ method: PaymentQueueMethod,
        _ message: some WireMessage,
        timeout: Int64 = 0,
        metadata: Metadata = [:]
    ) -> RequestEnvelope {
        RequestEnvelope(
            service: PaymentQueueMethod.service,
            method: method.rawValue,
            payload: message.wireBytes(),
            timeout: timeout,
            metadata: metadata
        )
    }

    private var helloEnvelope: RequestEnvelope {
        request(.hello, hello, timeout: 5_000_000_000)
    }

    private var addPaymentEnvelope: RequestEnvelope {
        let metadata: Metadata = ["call-id": "add-1"]
        return request(.addPayment, AddPaymentRequest(payment: payment), timeout: 30_000_000_000, metadata: metadata)
    }

    /// The frames of the connection, in the page's order.
    private var conversation: [[UInt8]] {
        [
            frame(.request, 1, helloEnvelope),
            frame(.response, 1, helloResponse),
            frame(.request, 3, addPaymentEnvelope),
            frame(.response, 3, addPaymentResponse),
            frame(.request, 5, flags: .remoteClosed, request(.observe, ObserveRequest(observerID: 1))),
            frame(.data, 5) { $0.writeBytes(firstBatch.wireBytes()) },
            frame(.request, 7, request(.acknowledge, AcknowledgeRequest(observerID: 1, revision: 2)))
                + frame(.response, 7, AcknowledgeResponse()),
            frame(.request, 9, request(.finishTransaction, FinishTransactionRequest(transactionID: payment.id))),
            frame(.response, 9, FinishTransactionResponse(revision: 3)),
            frame(.request, 11, request(.cancel, CancelRequest(observerID: 1))),
            frame(.response, 11, CancelResponse(found: true)),
        ]
    }

    @Test func thePageHasTheFramesThatAreWritten() throws {
        let (page, written) = (try ProtocolPage.frames(), conversation)
        #expect(page.count == written.count)
        for (index, (shown, frame)) in zip(page, written).enumerated() {
            #expect(shown.hexadecimal == frame.hexadecimal, "block \(index)")
        }
    }

    @Test func thePagesFramesAreRead() throws {
        var reader = FrameReader(lengthMaximum: Frame.lengthDefault)
        reader.append(ByteBuffer(bytes: try ProtocolPage.frames().joined()))
        var frames: [Frame] = []
        while case .frame(let frame) = reader.next() {
            frames.append(frame)
        }
        try #require(frames.map(\.header.streamID) == [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11])
        #expect(try RequestEnvelope(wire: frames[0].data) == helloEnvelope)
        #expect(try HelloRequest(wire: helloEnvelope.payload) == hello)
        try expect(helloResponse, answeredIn: frames[1])
        #expect(try RequestEnvelope(wire: frames[2].data) == addPaymentEnvelope)
        #expect(try AddPaymentRequest(wire: addPaymentEnvelope.payload).payment == payment)
        try expect(addPaymentResponse, answeredIn: frames[3])
        try expect(ObserveRequest(observerID: 1), requestedIn: frames[4])
        #expect(try EventBatch(wire: Array(buffer: frames[5].data)) == firstBatch)
        try expect(AcknowledgeRequest(observerID: 1, revision: 2), requestedIn: frames[6])
        try expect(AcknowledgeResponse(), answeredIn: frames[7])
        try expect(FinishTransactionRequest(transactionID: payment.id), requestedIn: frames[8])
        try expect(FinishTransactionResponse(revision: 3), answeredIn: frames[9])
        try expect(CancelRequest(observerID: 1), requestedIn: frames[10])
        try expect(CancelResponse(found: true), answeredIn: frames[11])
    }

    private func expect<Message: WireMessage & Equatable>(_ message: Message, requestedIn frame: Frame) throws {
        let found = try Message(wire: RequestEnvelope(wire: frame.data).payload)
        #expect(found == message)
    }

    private func expect<Message: WireMessage & Equatable>(_ message: Message, answeredIn frame: Frame) throws {
        let found = try Message(wire: ResponseEnvelope(wire: frame.data).get())
        #expect(found == message)
    }

    private func frame(
        _ type: FrameType,
        _ stream: UInt32,
        flags: FrameFlags = [],
        _ envelope: RequestEnvelope
    ) -> [UInt8] {
        frame(type, stream, flags: flags) { envelope.write(to: &$0) }
    }

    private func frame(_ type: FrameType, _ stream: UInt32, _ answer: some WireMessage) -> [UInt8] {
        frame(type, stream) { ResponseEnvelope.success(answer.wireBytes()).write(to: &$0) }
    }

    private func frame(
        _ type: FrameType,
        _ stream: UInt32,
        flags: FrameFlags = [],
        body: (inout ByteBuffer) -> Void
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        let isWritten = buffer.writeFrame(
            type,
            streamID: stream,
            flags: flags,
            lengthMaximum: Frame.lengthDefault,
            body: body
        )
        #expect(isWritten)
        return Array(buffer: buffer)
    }
}
