import CProtobufC

/// The initializer that protoc-c makes for a message type; it alone names the type, its size and its descriptor.
package typealias MessageInitializer<Message> = (UnsafeMutablePointer<Message>?) -> Void

/// A message as protobuf-c unpacks it, and the memory of everything in it.
@safe package struct Unpacked<Message>: ~Copyable {
    private let message: UnsafeMutablePointer<Message>
    private let arena: Arena

    /// Checks and unpacks a message whose memory may reach `budget`.
    package init(
        _ bytes: Span<UInt8>,
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes, initializer, budget: budget, pool: .decoding)
    }

    init(
        _ bytes: Span<UInt8>,
        _ initializer: MessageInitializer<Message>,
        budget: Int,
        pool: ArenaPool
    ) throws(DecodingFailure) {
        let descriptor = unsafe messageDescriptor(initializer)
        try unsafe Prescan.check(bytes, descriptor)
        let arena = Arena(budget: budget, pool: pool)
        let unpacked = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe protobuf_c_message_unpack(descriptor, arena.allocator, buffer.count, buffer.baseAddress)
        }
        guard let unpacked = unsafe unpacked else {
            throw DecodingFailure(arena.isPoolShort ? .overAllBudget : .overBudget)
        }
        unsafe message = UnsafeMutableRawPointer(unpacked).assumingMemoryBound(to: Message.self)
        self.arena = arena
    }

    /// Hands over the fields, whose pointers are good until `body` returns.
    package func read<Value, Failure: Error>(
        _ body: (Message) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try unsafe body(message.pointee)
    }
}

extension Unpacked {
    /// Checks and unpacks the message in an array.
    package init(
        _ bytes: [UInt8],
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes.span, initializer, budget: budget)
    }

    /// Checks and unpacks the message in a buffer, which is not used after that.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes.bindMemory(to: UInt8.self).span, initializer, budget: budget)
    }
}
