import NIOCore

/// Who uses how much of the server: connections, streams, bytes of frames and requests, by user id and in all.
///
/// A user other than root and the server's own has at most as many connections, and as many streams, as are left free.
/// So a few users cannot take them all: whatever they have, the next user finds some.
///
/// A pure value. Streams and bytes are counted under their connection, so that one that ends gives back all it held.
struct Accounts {
    /// What is in use, for metrics.
    var usage: TTRPCServer.Usage {
        TTRPCServer.Usage(connections: connections.count, streams: streamsInAll, frameBytes: frameBytesInAll)
    }

    /// How many users are remembered.
    var usersKnown: Int {
        users.count
    }

    private struct Connection {
        let uid: UInt32
        let isServed: Bool
        var streams = 0
        var frameBytes = 0
    }

    private struct User {
        var connections = 0
        var streams = 0
        var frameBytes = 0
        var bucket: TokenBucket?
    }

    /// How many users are remembered before those without connections and with a full bucket are forgotten.
    static let usersKept = 256

    /// The bytes of frames that each user may have in flight however many others have.
    static let frameBytesKept = 64 << 10
    /// The most connections of all users whom the server does not serve, who are told so on them.
    static let connectionsUnserved = 16

    private let limits: TTRPCServer.Limits
    private let ownUID: UInt32
    private var connections: [UInt64: Connection] = [:]
    private var users: [UInt32: User] = [:]
    private var unservedInAll = 0
    private var streamsInAll = 0
    private var frameBytesInAll = 0

    /// Makes accounts with nothing in use; `ownUID` is the server's own user id.
    init(limits: TTRPCServer.Limits, ownUID: UInt32) {
        self.limits = limits
        self.ownUID = ownUID
    }

    /// Counts a new connection, unless a limit is reached.
    mutating func admit(connection id: UInt64, uid: UInt32, isServed: Bool = true, now: NIODeadline) -> Bool {
        let isServed = isServed || isPrivileged(uid)
        guard isServed || unservedInAll < Self.connectionsUnserved else { return false }
        let most = isPrivileged(uid) ? limits.connectionsInAll : limits.connectionsInAll - limits.connectionsReserved
        let free = most - connections.count
        guard free > 0 else { return false }
        if users.count >= Self.usersKept { forgetIdleUsers(now: now) }
        var user = users[uid] ?? User(bucket: limits.requestRate.map { TokenBucket(rate: $0, now: now) })
        guard user.connections < limits.connectionsPerUser else { return false }
        guard isPrivileged(uid) || user.connections < free else { return false }
        user.connections += 1
        users[uid] = user
        connections[id] = Connection(uid: uid, isServed: isServed)
        if !isServed { unservedInAll += 1 }
        return true
    }

    /// Gives back a connection with all its streams.
    mutating func remove(connection id: UInt64) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if !connection.isServed { unservedInAll -= 1 }
        streamsInAll -= connection.streams
        users[connection.uid]?.connections -= 1
        users[connection.uid]?.streams -= connection.streams
        frameBytesInAll -= connection.frameBytes
        users[connection.uid]?.frameBytes -= connection.frameBytes
    }

    /// Counts the bytes of a frame that begins, unless a limit is reached. Whatever its user has in flight, one frame
    /// fits; whatever others have, a small one does, and one of root or the server's own user.
    mutating func admitFrame(connection id: UInt64, bytes: Int) -> Bool {
        guard let uid = connections[id]?.uid, let user = users[uid] else { return false }
        let ofUser = user.frameBytes + bytes
        guard user.frameBytes == 0 || ofUser <= limits.frameBytesPerUser else { return false }
        let isKept = ofUser <= Self.frameBytesKept || isPrivileged(uid)
        guard isKept || frameBytesInAll + bytes <= max(limits.frameBytesInAll, limits.frameLength) else { return false }
        connections[id]?.frameBytes += bytes
        users[uid]?.frameBytes += bytes
        frameBytesInAll += bytes
        return true
    }

    /// Gives back the bytes of a frame that is dealt with.
    mutating func releaseFrame(connection id: UInt64, bytes: Int) {
        guard let connection = connections[id] else { return }
        connections[id]?.frameBytes -= bytes
        users[connection.uid]?.frameBytes -= bytes
        frameBytesInAll -= bytes
    }

    /// Counts a request that arrived; says what is wrong with its number, if anything.
    mutating func countRequest(connection id: UInt64, now: NIODeadline) -> RPCError? {
        guard limits.requestRate != nil, let uid = connections[id]?.uid else { return nil }
        guard users[uid]?.bucket?.take(now: now) == false else { return nil }
        return RPCError(code: .resourceExhausted, message: "too many requests in a short time")
    }

    /// Counts a new stream; says which limit is reached, if one is.
    mutating func openStream(connection id: UInt64) -> RPCError? {
        guard let uid = connections[id]?.uid, let user = users[uid] else {
            return RPCError(code: .unavailable, message: "the connection is closing")
        }
        guard user.streams < limits.streamsPerUser else {
            return RPCError(code: .resourceExhausted, message: "too many calls in flight for this user")
        }
        guard isPrivileged(uid) || user.streams < limits.streamsInAll - streamsInAll else {
            return RPCError(code: .resourceExhausted, message: "too many calls in flight")
        }
        connections[id]?.streams += 1
        users[uid]?.streams += 1
        streamsInAll += 1
        return nil
    }

    /// Gives back a stream.
    mutating func closeStream(connection id: UInt64) {
        guard let connection = connections[id], connection.streams > 0 else { return }
        connections[id]?.streams -= 1
        users[connection.uid]?.streams -= 1
        streamsInAll -= 1
    }

    private func isPrivileged(_ uid: UInt32) -> Bool {
        uid == 0 || uid == ownUID
    }

    private mutating func forgetIdleUsers(now: NIODeadline) {
        for (uid, var user) in users where user.connections == 0 {
            if user.bucket?.isFull(now: now) ?? true { users[uid] = nil }
        }
    }
}
