/// What one message may cost to decode, whoever sends it.
package enum DecodingLimits {
    /// Fields of the message and of all messages in it, each element of a repeated field counted as one.
    package static let fieldsMaximum = 5120
    /// Fields that the descriptors do not know, in the message and in all messages in it.
    package static let unknownFieldsMaximum = 16
    /// Messages within each other, the outermost counted as one.
    package static let depthMaximum = 8
    /// Fields that a message type may declare: the bits of the set in which the scan keeps what it has seen.
    package static let declaredFieldsMaximum = UInt64.bitWidth
    /// Memory for the unpacked message.
    package static let arenaBytesMaximum = 1 << 20
    /// Memory for all messages that the process unpacks at once, beside the first chunk of each.
    package static let arenaBytesInAllMaximum = 16 << 20
}
