import CProtobufC

/// The descriptor of the message type that an initializer belongs to.
func messageDescriptor<Message>(_ initializer: MessageInitializer<Message>) -> Prescan.Descriptor {
    unsafe withUnsafeTemporaryAllocation(of: Message.self, capacity: 1) { memory in
        unsafe initializer(memory.baseAddress)
        let base = unsafe UnsafeMutableRawBufferPointer(memory).load(as: ProtobufCMessage.self)
        return unsafe base.descriptor
    }
}
