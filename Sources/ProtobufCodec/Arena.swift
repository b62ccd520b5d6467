import CProtobufC
import Synchronization

/// A bump allocator: memory grows by chunks, is allocated in order, and is freed as a whole.
///
/// An arena never exceeds its budget. All chunks after the first count against its pool. A small message needs only the
/// first chunk, whose start holds the arena's own state.
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
        /// Whether the pool, rather than the budget, was exhausted.
        var isPoolShort = false
        /// The newest chunk; each begins with the address of the one before.
        var newestChunk: UnsafeMutableRawPointer?
    }

    private let state: UnsafeMutablePointer<State>
    /// Nil for messages that we write ourselves, which have no limit.
    private let pool: ArenaPool?

    /// Allocates the first chunk of an arena that may take `budget` bytes.
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
        unsafe pool?.release(state.pointee.bytesOfPool)
        unsafe state.deallocate()
    }

    /// Whether an allocation failed because the pool was exhausted.
    var isPoolShort: Bool {
        unsafe state.pointee.isPoolShort
    }

    /// The arena as an allocator of protobuf-c, valid for the lifetime of the arena.
    var allocator: UnsafeMutablePointer<ProtobufCAllocator> {
        unsafe UnsafeMutableRawPointer(state).assumingMemoryBound(to: ProtobufCAllocator.self)
    }

    /// Memory that is aligned for every type of C; nil when the budget is exhausted.
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

/// The memory budget that all arenas of a pool share, without the first chunk of each.
final class ArenaPool: Sendable {
    /// The pool of all messages that are decoded.
    static let decoding = ArenaPool(bytesMaximum: DecodingLimits.arenaBytesInAllMaximum)

    private let bytesMaximum: Int
    private let bytes = Atomic(0)

    init(bytesMaximum: Int) {
        self.bytesMaximum = bytesMaximum
    }

    /// The bytes that are in use.
    var bytesTaken: Int {
        bytes.load(ordering: .relaxed)
    }

    /// Reserves bytes; false when fewer remain.
    func take(_ count: Int) -> Bool {
        guard bytes.add(count, ordering: .relaxed).newValue <= bytesMaximum else {
            release(count)
            return false
        }
        return true
    }

    func release(_ count: Int) {
        bytes.subtract(count, ordering: .relaxed)
    }
}
