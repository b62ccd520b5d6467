import TillModel

/// A command that waits for its group.
struct WaitingCommand: Sendable {
    /// The transaction that the command is about, if it names one.
    var transaction: TransactionReference?
    /// The queue that it names.
    var queue: QueueName?
    /// Returns a closure to call once the command is durable.
    var execute: @Sendable (inout CommandContext) throws -> @Sendable () -> Void
    /// Called if it is not.
    var fail: @Sendable (TillError) -> Void
}
