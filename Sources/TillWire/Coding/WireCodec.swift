import ProtobufCodec
import TillModel

/// Both directions between a value and its message's bytes, with the types of C kept inside.
package struct WireCodec<Value: Sendable>: Sendable {
    let decode: @Sendable ([UInt8]) throws(TillError) -> Value
    let encode: @Sendable (Value) -> [UInt8]
    let typeFaults: @Sendable () -> [String]

    init(_ type: Value.Type) where Value: WireFields {
        decode = { (bytes) throws(TillError) in
            do throws(DecodingFailure) {
                return try unsafe Unpacked(bytes, Value.initializer).read { (fields) throws(DecodingFailure) in
                    try Value(fields: fields)
                }
            } catch {
                let code: TillError.Code = error.reason == .overAllBudget ? .resourceExhausted : .invalidArgument
                throw TillError(code, "\(error.inside("\(Value.self)"))")
            }
        }
        encode = { value in
            unsafe Scratch.pack(Value.initializer, value.fill)
        }
        typeFaults = {
            unsafe DescriptorAudit.faults(of: Value.initializer)
        }
    }
}
