extension TTRPCServer {
    /// A server's resource usage.
    public struct Usage: Hashable, Sendable {
        /// The number of open connections, including closed ones whose handlers are still running.
        public var connections: Int
        /// The number of calls whose handlers are running.
        public var streams: Int
        /// The bytes of the frames that are arriving or whose handlers are running.
        public var frameBytes = 0
    }
}
