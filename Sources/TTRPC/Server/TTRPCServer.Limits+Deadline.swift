import NIOCore

extension TTRPCServer.Limits {
    /// Returns the deadline of a call with a timeout of so many nanoseconds; 0 means no timeout.
    func deadline(
        timeout: Int64,
        kind: ServerStreams.Kind,
        now: NIODeadline
    ) throws(RPCError) -> NIODeadline {
        guard timeout >= 0 else {
            throw RPCError(code: .invalidArgument, message: "the timeout is negative")
        }
        if timeout == 0 {
            return kind == .unary ? now + unaryTimeout : .distantFuture
        }
        return now + min(max(.nanoseconds(timeout), timeoutMinimum), timeoutMaximum)
    }
}
