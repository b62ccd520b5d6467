import FoundationEssentials
import NIOCore
import TTRPC
import TillEngine
import TillInvariants
import TillModel
import TillWire

/// The facts of one connection. An intent counts once the daemon has the request; an answer counts from the start of
/// its send.
struct Conversation {
    private struct Call {
        var service: String
        var method: String
        var payload: [UInt8]
    }

    /// The client's queue; nil until the client has sent Hello.
    private(set) var queue: QueueName?
    private(set) var entries: [FactEntry] = []
    /// The sequences of the history, by the stream of their observation.
    private var sequences: [UInt32: Int] = [:]
    private var calls: [UInt32: Call] = [:]
    private var requests = FrameReader(lengthMaximum: Frame.lengthMaximum)
    private var answers = FrameReader(lengthMaximum: Frame.lengthMaximum)
    private var application = ""
    private let number: Int

    init(number: Int) {
        self.number = number
    }

    mutating func read(_ transfer: OperationLog.Transfer) throws {
        let bytes = ByteBuffer(bytes: transfer.bytes)
        if transfer.isAnswer {
            answers.append(bytes)
            while let event = answers.next() {
                try answer(frame(event), at: transfer.place)
            }
        } else {
            requests.append(bytes)
            while let event = requests.next() {
                try request(frame(event), at: transfer.place)
            }
        }
    }

    private func frame(_ event: FrameReader.Event) throws(TraceError) -> Frame {
        guard case .frame(let frame) = event else {
            throw TraceError("Connection \(number) carries bytes that are not a frame.")
        }
        return frame
    }

    private mutating func note(_ fact: Fact, at place: Int) {
        entries.append(FactEntry(at: UInt64(place), run: 1, fact: fact))
    }

    private mutating func request(_ frame: Frame, at place: Int) throws {
        guard frame.header.type == .request else {
            return
        }
        let envelope = try RequestEnvelope(wire: frame.data)
        let call = Call(service: envelope.service, method: envelope.method, payload: envelope.payload)
        calls[frame.header.streamID] = call
        switch (call.service, call.method) {
        case (PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue):
            application = try HelloRequest(wire: call.payload).application
        case (PaymentQueueMethod.service, PaymentQueueMethod.addPayment.rawValue):
            note(.addIntended(PaymentNote(try AddPaymentRequest(wire: call.payload).payment)), at: place)
        case (PaymentQueueMethod.service, PaymentQueueMethod.finishTransaction.rawValue):
            note(.finishIntended(id: try FinishTransactionRequest(wire: call.payload).transactionID), at: place)
        case (PaymentQueueMethod.service, PaymentQueueMethod.observe.rawValue):
            // Stream numbers are unique only within a connection, and other connections may have events at the same
            // place.
            let sequence = number << 32 | Int(frame.header.streamID)
            sequences[frame.header.streamID] = sequence
            note(.observing(sequence: sequence), at: place)
        default:
            break
        }
    }

    private mutating func answer(_ frame: Frame, at place: Int) throws {
        let stream = frame.header.streamID
        guard let call = calls[stream] else {
            throw TraceError("Connection \(number) answers a request that was not sent.")
        }
        if frame.header.type == .data {
            if let sequence = sequences[stream], !frame.header.flags.contains(.noData) {
                try deliver(EventBatch(wire: Array(frame.data.readableBytesView)), sequence, at: place)
            }
            return
        }
        calls[stream] = nil
        switch try ResponseEnvelope(wire: frame.data) {
        case .success(let payload): try succeed(call, payload, at: place)
        case .failure(let error): try refuse(call, error, at: place)
        }
    }
}

extension Conversation {
    private mutating func succeed(_ call: Call, _ payload: [UInt8], at place: Int) throws {
        switch (call.service, call.method) {
        case (PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue):
            queue = QueueName(application: application, account: try HelloResponse(wire: payload).account)
        case (PaymentQueueMethod.service, PaymentQueueMethod.addPayment.rawValue):
            note(.addAcknowledged(Sighting(try AddPaymentResponse(wire: payload).transaction)), at: place)
        case (PaymentQueueMethod.service, PaymentQueueMethod.finishTransaction.rawValue):
            note(.finishAcknowledged(id: try FinishTransactionRequest(wire: call.payload).transactionID), at: place)
        case (DownloadsMethod.service, DownloadsMethod.listDownloads.rawValue):
            finish(try ListDownloadsResponse(wire: payload).downloads, at: place)
        case (DownloadsMethod.service, _):
            finish(try DownloadsResponse(wire: payload).downloads, at: place)
        case (OperatorMethod.service, OperatorMethod.refund.rawValue):
            let order = try RefundRequest(wire: call.payload).order
            note(.actAnswered(action: call.method, subject: order.transactionID.text, identity: order.id), at: place)
        case (OperatorMethod.service, OperatorMethod.changeSettings.rawValue):
            note(.actAnswered(action: call.method, subject: "settings", identity: nil), at: place)
        default:
            break
        }
    }

    private mutating func refuse(_ call: Call, _ error: RPCError, at place: Int) throws {
        let open: [RPCStatusCode] = [.unavailable, .deadlineExceeded, .resourceExhausted, .unknown, .cancelled]
        guard call.service == PaymentQueueMethod.service, call.method == PaymentQueueMethod.addPayment.rawValue,
            !open.contains(error.code)
        else {
            return
        }
        let id = try AddPaymentRequest(wire: call.payload).payment.id
        if error.code == .alreadyExists {
            note(.conflictAnswered(id: id, code: error.code.rawValue), at: place)
        } else {
            note(.addRefused(id: id, code: error.code.rawValue), at: place)
        }
    }

    private mutating func deliver(_ batch: EventBatch, _ sequence: Int, at place: Int) {
        for event in batch.events {
            switch event {
            case .updated(let transaction), .revoked(let transaction):
                if case .revoked = event {
                    note(.revoked(sequence: sequence, id: transaction.id), at: place)
                }
                note(.delivered(sequence: sequence, asked: 0, Sighting(transaction)), at: place)
                finish(transaction.downloads, at: place)
            case .removed(let transaction):
                note(.removed(sequence: sequence, Sighting(transaction)), at: place)
            case .downloadsUpdated(let downloads):
                finish(downloads, at: place)
            case .restoreFinished(let id, let count):
                note(.restoreEnded(sequence: sequence, restore: id, count: count), at: place)
            case .restoreFailed(let id, _):
                note(.restoreEnded(sequence: sequence, restore: id, count: nil), at: place)
            case .initialDeliveryEnded:
                note(.initialDeliveryEnded(sequence: sequence), at: place)
            case .initialDeliveryStarted, .storePaymentRequested, .storefrontChanged:
                break
            }
        }
    }

    private mutating func finish(_ downloads: [Download], at place: Int) {
        for download in downloads where download.state == .finished {
            note(.downloadFinished(DownloadNote(download)), at: place)
        }
    }
}
