extension TTRPCServer {
    /// How much of the server is in use.
    public struct Usage: Hashable, Sendable {
        /// The open connections, and those whose handlers still run.
        public var connections: Int
        /// The calls whose handlers run.
        public var streams: Int
        /// The bytes of the frames that arrive or whose calls' handlers run.
        public var frameBytes = 0
    }
}
