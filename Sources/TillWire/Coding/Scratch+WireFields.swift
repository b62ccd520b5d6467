import ProtobufCodec

extension Scratch {
    /// The message of a value, or none, for a field.
    func message<Value: WireFields>(_ value: Value?) -> UnsafeMutablePointer<Value.Fields>? {
        guard let value else {
            return nil
        }
        return unsafe message(Value.initializer, value.fill)
    }

    /// The messages of values, for a repeated field.
    func messages<Value: WireFields>(
        _ values: [Value]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value.Fields>?> {
        var pointers: [UnsafeMutablePointer<Value.Fields>?] = unsafe []
        for value in values {
            unsafe pointers.append(message(value))
        }
        return unsafe list(pointers)
    }
}
