import CProtobufC

/// Memory that grows by chunks, is handed out in order, and is freed as a whole.
///
/// What an arena takes from the system never exceeds its budget, and what it takes beside its first chunk is its pool's
/// to give. A small message needs a single chunk, at whose start
/// the arena's own state lies.
@safe struct Arena: ~Copyable {
    /// Small enough for the system's fast path, large enough for most requests.
    static let firstChunkBytes = 1024
    static let chunkBytesMaximum = 64 << 10
    private static let alignment = 16

    @safe private struct State {
        var allocator: ProtobufCAllocator
        var free: UnsafeMutableRawPointer
        var freeCount: Int
        var budget: Int
        var nextChunkBytes: Int
        var pool: Unmanaged<ArenaPool>?
        var bytesOfPool = 0
        /// Whether the pool, and not the budget, did not reach.
        var isPoolShort = false
        /// The newest chunk; each begins with the address of the one before.
        var newestChunk: UnsafeMutableRawPointer?
    }

    private let state: UnsafeMutablePointer<State>
    /// Nil for memory of our own making, which has no limit.
    private let pool: ArenaPool?

    /// An arena that may take `budget` bytes, and takes the first chunk at once.
    init(budget: Int, pool: ArenaPool?) {
        self.pool = pool
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: Self.firstChunkBytes, alignment: Self.alignment)
        let stateBytes = Self.rounded(MemoryLayout<State>.stride)
        unsafe state = chunk.bindMemory(to: State.self, capacity: 1)
        unsafe state.initialize(
            to: State(
                allocator: ProtobufCAllocator(
                    alloc: { unsafe Arena.allocate($1, from: $0) },
                    free: { _, _ in },
                    allocator_data: chunk
                ),
                free: chunk + stateBytes,
                freeCount: Self.firstChunkBytes - stateBytes,
                budget: max(budget, Self.firstChunkBytes) - Self.firstChunkBytes,
                nextChunkBytes: 2 * Self.firstChunkBytes,
                pool: pool.map { unsafe Unmanaged.passUnretained($0) },
                newestChunk: nil
            )
        )
    }

    deinit {
        var chunk = unsafe state.pointee.newestChunk
        while let current = unsafe chunk {
            unsafe chunk = current.load(as: UnsafeMutableRawPointer?.self)
            unsafe current.deallocate()
        }
        unsafe pool?.giveBack(state.pointee.bytesOfPool)
        unsafe state.deallocate()
    }

    /// Whether memory was refused because all arenas of the pool have too much.
    var isPoolShort: Bool {
        unsafe state.pointee.isPoolShort
    }

    /// The arena as protobuf-c takes memory from it; good as long as the arena is.
    var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
        unsafe UnsafeMutableRawPointer(state).assumingMemoryBound(to: ProtobufCAllocator.self)
    }

    /// Memory aligned for every type of C; nil when the budget does not reach.
    func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        unsafe Self.allocate(count, from: UnsafeMutableRawPointer(state))
    }

    private static func allocate(
        _ count: Int,
        from arena: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let state = unsafe arena?.assumingMemoryBound(to: State.self), count <= Int.max / 2 else {
            return nil
        }
        let needed = rounded(max(1, count))
        if unsafe needed > state.pointee.freeCount {
            guard unsafe addChunk(for: needed, to: &state.pointee) else {
                return nil
            }
        }
        let memory = unsafe state.pointee.free
        unsafe state.pointee.free += needed
        unsafe state.pointee.freeCount -= needed
        return unsafe memory
    }

    private static func addChunk(for needed: Int, to state: inout State) -> Bool {
        let count = max(needed + alignment, min(state.nextChunkBytes, state.budget))
        guard count <= state.budget, takeFromPool(count, for: &state) else {
            return false
        }
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: alignment)
        unsafe chunk.storeBytes(of: state.newestChunk, as: UnsafeMutableRawPointer?.self)
        unsafe state.newestChunk = chunk
        unsafe state.free = chunk + alignment
        state.freeCount = count - alignment
        state.budget -= count
        state.nextChunkBytes = min(2 * state.nextChunkBytes, chunkBytesMaximum)
        return true
    }

    private static func takeFromPool(_ count: Int, for state: inout State) -> Bool {
        guard let pool = unsafe state.pool?.takeUnretainedValue() else {
            return true
        }
        guard pool.take(count) else {
            state.isPoolShort = true
            return false
        }
        state.bytesOfPool += count
        return true
    }

    private static func rounded(_ count: Int) -> Int {
        (count + alignment - 1) & ~(alignment - 1)
    }
}
