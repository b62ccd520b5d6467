extension TTRPCServer {
    /// How much of the server is in use.
    public struct Usage: Hashable, Sendable {
        /// The open connections, and those whose handlers still run.
        public var connections: Int
        /// The calls whose handlers run.
        public var streams: Int
    }
}
