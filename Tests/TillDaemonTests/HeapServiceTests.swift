import Glibc
import Synchronization
import Testing
import TillTesting
@testable import TillDaemon

@Suite(.timeLimit(.minutes(10))) struct HeapServiceTests {
    private static let pieceBytes = 16_384
    private static let pieces = 4_096

    /// Runs in a process of its own, because a search of the heaps stops all threads.
    @Test func freeMemoryBetweenUsedMemoryIsReturned() async {
        await #expect(processExitsWith: .success) {
            let pieces = unsafe (0...Self.pieces).map { _ in
                let piece = UnsafeMutableRawPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
                unsafe piece.initializeMemory(as: UInt8.self, repeating: 1, count: Self.pieceBytes)
                return unsafe piece
            }
            // Some pieces remain between the others, so that no heap can return memory at its end, or end, by itself.
            let kept = unsafe Set(stride(from: 0, through: Self.pieces, by: 64).map { unsafe pieces[$0] })
            let freed = unsafe Set(pieces).subtracting(kept)
            unsafe freed.forEach { unsafe $0.deallocate() }
            #expect(unsafe Self.resident(of: freed) > Self.pieces / 2, "the heap gave it back by itself")
            ProcessSetup.releaseFreedMemory()
            #expect(unsafe Self.resident(of: freed) < Self.pieces / 10)
            unsafe kept.forEach { unsafe $0.deallocate() }
        }
    }

    @Test func itReleasesMemoryRegularlyUntilTheEnd() async throws {
        let time = VirtualTime()
        let count = Counter()
        let service = HeapService(time: time) { count.value.add(1, ordering: .relaxed) }
        let running = Task { await service.run() }
        while count.value.load(ordering: .relaxed) < 3 {
            time.advance(by: HeapService.interval / .seconds(1))
            try await Task.yieldUnlessCancelled()
        }
        running.cancel()
        await running.value
    }

    /// A service group logs its services by their description, which must not contain their properties.
    @Test func itsDescriptionIsItsName() {
        #expect("\(HeapService(time: VirtualTime()) {})" == "HeapService")
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    /// The number of pieces whose middle is in memory.
    private static func resident(of pieces: Set<UnsafeMutableRawPointer>) -> Int {
        unsafe pieces.count { piece in
            let page = (UInt(bitPattern: piece) + UInt(pieceBytes / 2)) & ~4_095
            var flags: UInt8 = 0
            return unsafe mincore(UnsafeMutableRawPointer(bitPattern: page), 4_096, &flags) == 0 && flags & 1 == 1
        }
    }
}
