import ArgumentParser
import NIOCore
import TTRPC
import TillModel
import TillWire

/// How a hostile peer behaves on each of its connections.
enum Attack: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Frames that cost much to decode, as fast as they are taken.
    case corpus
    /// Frames that stop before their last byte.
    case halves
    /// As many streams as there may be, none of which is read.
    case unread
    /// Requests that are answered, as fast as they are taken.
    case requests
    /// Applications' receipts, none of which is read.
    case receipts
    /// Connections that ask for much and then close their own side.
    case halfClosed = "half-closed"
    /// Connections that are closed as soon as they are made.
    case reconnects

    /// Payments that the provider takes long to charge.
    case slowCharges = "slow-charges"

    /// Slow payments of a connection.
    private static let slowPayments = 64
    /// Requests of a connection that is then closed on its own side.
    private static let requestsBeforeClosing = 32

    /// Whether what the daemon sends is read.
    var reads: Bool { self != .unread && self != .receipts }

    /// Whether a connection that sends nothing more closes its own side.
    var closesItsSide: Bool { self == .halfClosed }

    /// What opens a connection.
    func opening(application: String) -> ByteBuffer {
        let hello = HelloRequest(application: application, client: "till-attack")
        return Wire.frame(
            .request,
            stream: 1,
            Wire.envelope(PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue, hello.wireBytes())
        )
    }

    /// What comes next on a connection that has sent so many before; nil when it sends nothing more.
    func next(_ number: Int) -> ByteBuffer? {
        // The Hello was stream 1; ids may not come again, so that a connection ends after so many.
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

    /// Observers first, and then lists, the answers to which are the largest that there are.
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
