import NIOCore

/// Counts the server's connections, streams, frame bytes and requests per user id and in total, and enforces the
/// limits.
///
/// A user other than root and the server's own user may have at most as many connections as are still free; the same
/// applies to streams. So a few users cannot take them all: some always remain for the next user.
///
/// A pure value. Streams and bytes are counted per connection, so a closed connection releases everything that it held.
struct ResourceQuotas {
    /// The current usage, for metrics.
    var usage: TTRPCServer.Usage {
        TTRPCServer.Usage(connections: connections.count, streams: streamsInAll, frameBytes: frameBytesInAll)
    }

    /// What arrived and was refused so far, for metrics.
    private(set) var totals = TTRPCServer.Totals()

    /// The number of tracked users.
    var trackedUsers: Int {
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

    /// The number of tracked users above which idle users (no connections and a full bucket) are evicted.
    static let trackedUsersMaximum = 256

    /// The frame bytes that each user may always have in flight, regardless of other users.
    static let frameBytesReserved = 64 << 10
    /// The maximum number of connections of all users that the server does not serve. Their calls are refused on these
    /// connections.
    static let unservedConnectionsMaximum = 16

    private let limits: TTRPCServer.Limits
    private let ownUID: UInt32
    private var connections: [UInt64: Connection] = [:]
    private var users: [UInt32: User] = [:]
    private var unservedInAll = 0
    private var streamsInAll = 0
    private var frameBytesInAll = 0

    /// Creates empty quotas; `ownUID` is the server's own user id.
    init(limits: TTRPCServer.Limits, ownUID: UInt32) {
        self.limits = limits
        self.ownUID = ownUID
    }

    /// Counts a new connection. Returns false if a limit has been reached.
    mutating func admit(connection id: UInt64, uid: UInt32, isServed: Bool = true, now: NIODeadline) -> Bool {
        let isAdmitted = count(connection: id, uid: uid, isServed: isServed, now: now)
        totals.connectionsRefused += isAdmitted ? 0 : 1
        return isAdmitted
    }

    private mutating func count(connection id: UInt64, uid: UInt32, isServed: Bool, now: NIODeadline) -> Bool {
        let isServed = isServed || isPrivileged(uid)
        guard isServed || unservedInAll < Self.unservedConnectionsMaximum else { return false }
        let most = isPrivileged(uid) ? limits.connectionsInAll : limits.connectionsInAll - limits.connectionsReserved
        let free = most - connections.count
        guard free > 0 else { return false }
        if users.count >= Self.trackedUsersMaximum { forgetIdleUsers(now: now) }
        var user = users[uid] ?? User(bucket: limits.requestRate.map { TokenBucket(rate: $0, now: now) })
        guard user.connections < limits.connectionsPerUser else { return false }
        guard isPrivileged(uid) || user.connections < free else { return false }
        user.connections += 1
        users[uid] = user
        connections[id] = Connection(uid: uid, isServed: isServed)
        if !isServed { unservedInAll += 1 }
        return true
    }

    /// Releases a connection with all its streams and frame bytes.
    mutating func remove(connection id: UInt64) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        if !connection.isServed { unservedInAll -= 1 }
        streamsInAll -= connection.streams
        users[connection.uid]?.connections -= 1
        users[connection.uid]?.streams -= connection.streams
        frameBytesInAll -= connection.frameBytes
        users[connection.uid]?.frameBytes -= connection.frameBytes
    }

    /// Counts the bytes of a frame when its header arrives. Returns false if a limit has been reached. A user without
    /// frames in flight may send one frame of any accepted size. The total limit applies neither to a user with few
    /// bytes in flight nor to root and the server's own user.
    mutating func admitFrame(connection id: UInt64, bytes: Int) -> Bool {
        guard let place = place(of: id) else { return false }
        let user = users[place.user]
        let ofUser = user.value.frameBytes + bytes
        guard user.value.frameBytes == 0 || ofUser <= limits.frameBytesPerUser else { return false }
        let isKept = ofUser <= Self.frameBytesReserved || isPrivileged(user.key)
        guard isKept || frameBytesInAll + bytes <= max(limits.frameBytesInAll, limits.frameLength) else { return false }
        addFrameBytes(bytes, at: place)
        return true
    }

    /// Releases the bytes of a handled frame.
    mutating func releaseFrame(connection id: UInt64, bytes: Int) {
        guard let place = place(of: id) else { return }
        addFrameBytes(-bytes, at: place)
    }

    private mutating func addFrameBytes(_ bytes: Int, at place: Place) {
        connections.values[place.connection].frameBytes += bytes
        users.values[place.user].frameBytes += bytes
        frameBytesInAll += bytes
    }

    /// Counts a request. Returns an error if its user exceeds the request rate.
    mutating func countRequest(connection id: UInt64, now: NIODeadline) -> RPCError? {
        totals.requests += 1
        guard limits.requestRate != nil, let place = place(of: id) else { return nil }
        guard users.values[place.user].bucket?.take(now: now) == false else { return nil }
        totals.requestsRefused += 1
        return RPCError(code: .resourceExhausted, message: "too many requests; retry later")
    }

    /// Counts a new stream. Returns an error if a limit has been reached.
    mutating func openStream(connection id: UInt64) -> RPCError? {
        guard let place = place(of: id) else {
            return RPCError(code: .unavailable, message: "the connection is closing")
        }
        let user = users[place.user]
        guard user.value.streams < limits.streamsPerUser else {
            totals.requestsRefused += 1
            return RPCError(code: .resourceExhausted, message: "too many calls in flight for this user")
        }
        guard isPrivileged(user.key) || user.value.streams < limits.streamsInAll - streamsInAll else {
            totals.requestsRefused += 1
            return RPCError(code: .resourceExhausted, message: "too many calls in flight")
        }
        addStreams(1, at: place)
        return nil
    }

    /// Releases a stream, and the bytes of the frame that opened it.
    mutating func closeStream(connection id: UInt64, frameBytes: Int = 0) {
        guard let place = place(of: id) else { return }
        addFrameBytes(-frameBytes, at: place)
        if connections.values[place.connection].streams > 0 { addStreams(-1, at: place) }
    }

    private mutating func addStreams(_ count: Int, at place: Place) {
        connections.values[place.connection].streams += count
        users.values[place.user].streams += count
        streamsInAll += count
    }

    /// Where a connection and its user are stored, so that a call looks each of them up only once.
    private struct Place {
        let connection: Dictionary<UInt64, Connection>.Index
        let user: Dictionary<UInt32, User>.Index
    }

    private func place(of id: UInt64) -> Place? {
        guard let connection = connections.index(forKey: id),
            let user = users.index(forKey: connections.values[connection].uid)
        else { return nil }
        return Place(connection: connection, user: user)
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

/// A token bucket that limits a user's request rate: a pure value; the caller passes the time.
struct TokenBucket: Equatable {
    private let rate: TTRPCServer.RequestRate
    private var tokens: Double
    private var updated: NIODeadline

    /// Creates a full bucket.
    init(rate: TTRPCServer.RequestRate, now: NIODeadline) {
        self.rate = rate
        tokens = rate.burst
        updated = now
    }

    /// Takes one token, if there is one.
    mutating func take(now: NIODeadline) -> Bool {
        refill(now: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Whether the bucket is full, so that it can be evicted without effect.
    mutating func isFull(now: NIODeadline) -> Bool {
        refill(now: now)
        return tokens >= rate.burst
    }

    private mutating func refill(now: NIODeadline) {
        guard now > updated else { return }
        let seconds = Double((now - updated).nanoseconds) / 1e9
        tokens = min(rate.burst, tokens + seconds * rate.perSecond)
        updated = now
    }
}
