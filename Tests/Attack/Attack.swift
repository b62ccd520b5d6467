import ArgumentParser
import NIOCore
import TTRPC
import TillModel
import TillWire

/// The behaviour of a hostile peer on each of its connections.
enum Attack: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Sends frames that are expensive to decode, as fast as the daemon reads them.
    case corpus
    /// Sends frames without their last byte.
    case halves
    /// Opens the maximum number of streams, and reads none of them.
    case unread
    /// Sends valid requests as fast as the daemon reads them.
    case requests
    /// Requests application receipts, and reads none of them.
    case receipts
    /// Sends many requests, and then closes its own side of the connection.
    case halfClosed = "half-closed"
    /// Closes each connection as soon as it is made.
    case reconnects

    /// Adds payments that the provider charges slowly.
    case slowCharges = "slow-charges"

    /// The number of slow payments on a connection.
    private static let slowPayments = 64
    /// The number of requests on a connection before its side is closed.
    private static let requestsBeforeClosing = 32

    /// Whether the peer reads the daemon's output.
    var reads: Bool { self != .unread && self != .receipts }

    /// Whether a connection closes its own side after its last frame.
    var closesItsSide: Bool { self == .halfClosed }

    /// The first frame of a connection.
    func opening(application: String) -> ByteBuffer {
        let hello = HelloRequest(application: application, client: "till-attack")
        return Wire.frame(
            .request,
            stream: 1,
            Wire.envelope(PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue, hello.wireBytes())
        )
    }

    /// The next frame of a connection that has sent this many; nil after the last one.
    func next(_ number: Int) -> ByteBuffer? {
        // Hello was stream 1. Stream ids cannot be reused, so a connection ends when they are exhausted.
        guard let stream = UInt32(exactly: 2 * number + 3), stream < 1 << 31 else { return nil }
        switch self {
        case .corpus: return Self.frames[number % Self.frames.count](stream)
        case .halves:
            guard number == 0 else { return nil }
            var bytes = Wire.header(length: Frame.lengthDefault, stream: stream, .request)
            bytes.writeRepeatingByte(0x0A, count: Frame.lengthDefault - 1)
            return bytes
        case .unread: return Self.unread(stream, number)
        case .requests: return Self.request(stream, .listTransactions, ListTransactionsRequest().wireBytes())
        case .receipts: return Self.receipt(stream)
        case .halfClosed:
            guard number < Self.requestsBeforeClosing else { return nil }
            return number.isMultiple(of: 2) ? Self.receipt(stream) : Self.list(stream)
        case .slowCharges:
            guard number < Self.slowPayments else { return nil }
            let payment = AddPaymentRequest(payment: Payment(productID: AttackStore.slowProduct))
            return Self.request(stream, .addPayment, payment.wireBytes())
        case .reconnects: return nil
        }
    }

    private static let frames: [@Sendable (UInt32) -> ByteBuffer] = Corpus.inputs.map { input in
        let data = Wire.envelope(input.service, input.method, input.payload)
        return { Wire.frame(.request, stream: $0, data) }
    }

    /// Makes observers first, and then lists, whose answers are the largest.
    private static func unread(_ stream: UInt32, _ number: Int) -> ByteBuffer {
        guard number < 100 else { return list(stream) }
        let observe = ObserveRequest(observerID: UInt32(number), after: nil, window: 16)
        return request(stream, .observe, observe.wireBytes(), flags: .remoteClosed)
    }

    private static func list(_ stream: UInt32) -> ByteBuffer {
        request(stream, .listTransactions, ListTransactionsRequest(includesFinished: true).wireBytes())
    }

    private static func receipt(_ stream: UInt32) -> ByteBuffer {
        let payload = ApplicationReceiptRequest().wireBytes()
        let envelope = Wire.envelope(ReceiptsMethod.service, ReceiptsMethod.applicationReceipt.rawValue, payload)
        return Wire.frame(.request, stream: stream, flags: .remoteClosed, envelope)
    }

    private static func request(
        _ stream: UInt32,
        _ method: PaymentQueueMethod,
        _ payload: [UInt8],
        flags: FrameFlags = []
    ) -> ByteBuffer {
        let envelope = Wire.envelope(PaymentQueueMethod.service, method.rawValue, payload)
        return Wire.frame(.request, stream: stream, flags: flags, envelope)
    }
}
