import NIOCore

extension TTRPCServer.Limits {
    /// When a call ends whose request names `timeout` nanoseconds; 0 means that it names none.
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
