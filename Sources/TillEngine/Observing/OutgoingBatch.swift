package import TillModel

/// A batch on its way to an observer, whose bytes it may share with others that get the same.
package struct OutgoingBatch: Sendable {
    package var batch: EventBatch
    /// Nil where nobody else gets it.
    var encoding: EncodedOnce?

    /// The batch as bytes, by the one encoding that all senders use.
    package func bytes<Failure: Error>(
        _ encode: (EventBatch) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard let encoding else {
            return try encode(batch)
        }
        return try encoding.bytes { () throws(Failure) in try encode(batch) }
    }
}
