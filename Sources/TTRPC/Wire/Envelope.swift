import CTTRPCMessages
package import NIOCore
import ProtobufCodec

/// The message that opens a stream: ttrpc's `Request`.
package struct RequestEnvelope: Equatable, Sendable {
    package var service: String
    package var method: String
    package var payload: [UInt8]
    /// The call's timeout in nanoseconds; 0 means no timeout.
    package var timeout: Int64 = 0
    package var metadata = Metadata()
}

/// The message that ends a stream: ttrpc's `Response`, as a result.
package typealias ResponseEnvelope = Result<[UInt8], RPCError>

extension ResponseEnvelope {
    /// The size of the response's frame on the wire, without the few bytes of its field tags.
    var sizeEstimate: Int {
        switch self {
        case .success(let payload): FrameHeader.size + payload.count
        case .failure(let error): FrameHeader.size + error.message.utf8.count
        }
    }
}

extension RequestEnvelope {
    /// Validates and decodes a request's data.
    package init(wire data: ByteBuffer) throws(RPCError) {
        self = try unsafe data.unpack(ttrpc__request__init) { (fields) throws(RPCError) in
            let metadata = try unsafe Metadata(count: fields.n_metadata, fields: fields.metadata)
            return unsafe RequestEnvelope(
                service: String(field: fields.service),
                method: String(field: fields.method),
                payload: [UInt8](field: fields.payload),
                timeout: fields.timeout_nano,
                metadata: metadata
            )
        }
    }

    /// Appends the request; the payload comes last and is copied directly into the buffer.
    func write(to buffer: inout ByteBuffer) {
        let head = unsafe Scratch.pack(ttrpc__request__init) { fields, scratch in
            unsafe fields.service = scratch.text(service)
            unsafe fields.method = scratch.text(method)
            unsafe fields.timeout_nano = timeout
            unsafe fields.n_metadata = metadata.pairs.count
            let pairs = unsafe metadata.pairs.map { pair in
                unsafe Optional(
                    scratch.message(ttrpc__key_value__init) { field, scratch in
                        unsafe field.key = scratch.text(pair.key)
                        unsafe field.value = scratch.text(pair.value)
                    }
                )
            }
            unsafe fields.metadata = scratch.list(pairs)
        }
        buffer.writeBytes(head)
        buffer.writeField(3, payload)
    }
}

extension ResponseEnvelope {
    /// Validates and decodes a response's data.
    package init(wire data: ByteBuffer) throws(RPCError) {
        self = try unsafe data.unpack(ttrpc__response__init) { (fields) throws(RPCError) in
            guard let status = unsafe fields.status?.pointee, unsafe status.code != 0 else {
                return unsafe .success([UInt8](field: fields.payload))
            }
            let code = unsafe RPCStatusCode(rawValue: UInt32(bitPattern: status.code))
            return unsafe .failure(RPCError(code: code, message: String(field: status.message)))
        }
    }

    /// Appends the response. Success needs no status because it is the default.
    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .success(let payload):
            buffer.writeField(2, payload)
        case .failure(let error):
            let bytes = unsafe Scratch.pack(ttrpc__response__init) { fields, scratch in
                unsafe fields.status = scratch.message(ttrpc__status__init) { status, scratch in
                    unsafe status.code = Int32(bitPattern: error.code.rawValue)
                    unsafe status.message = scratch.text(error.message)
                }
            }
            buffer.writeBytes(bytes)
        }
    }
}

extension Metadata {
    fileprivate init(
        count: Int,
        fields: UnsafeMutablePointer<UnsafeMutablePointer<Ttrpc__KeyValue>?>?
    ) throws(RPCError) {
        guard count <= Self.pairsMaximum else { throw Self.tooManyPairs }
        self.init()
        for index in 0..<count {
            guard let field = unsafe fields?[index]?.pointee else { continue }
            unsafe pairs.append(Pair(key: String(field: field.key), value: String(field: field.value)))
        }
    }
}

extension ByteBuffer {
    /// The memory budget for an envelope's fields besides its payload, which is at most as long as its frame.
    private static let envelopeBudget = 64 << 10

    fileprivate func unpack<Message, Value>(
        _ initializer: MessageInitializer<Message>,
        _ read: (Message) throws(RPCError) -> Value
    ) throws(RPCError) -> Value {
        do {
            let budget = readableBytes + Self.envelopeBudget
            return try unsafe withUnsafeReadableBytes { bytes in
                try unsafe Unpacked(bytes, initializer, budget: budget).read(read)
            }
        } catch let error as RPCError {
            throw error
        } catch {
            let isBusy = (error as? DecodingFailure)?.reason == .overAllBudget
            let code: RPCStatusCode = isBusy ? .resourceExhausted : .invalidArgument
            throw RPCError(code: code, message: "invalid message in frame: \(error)")
        }
    }

    /// Appends a protobuf field of type bytes; omits an empty one.
    fileprivate mutating func writeField(_ number: UInt8, _ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let lengthDelimited: UInt8 = 2
        writeInteger(number << 3 | lengthDelimited)
        var length = UInt64(bytes.count)
        while length >= 0x80 {
            writeInteger(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        writeInteger(UInt8(truncatingIfNeeded: length))
        writeBytes(bytes)
    }
}
