import NIOCore
import Testing

@testable import TTRPC

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("A server whose process runs out of descriptors")
struct DescriptorTests {
    @Test(.timeLimit(.minutes(10)))
    func itStaysIdleAndAcceptsAgainOnceDescriptorsAreFree() async {
        await #expect(processExitsWith: .success) {
            try await withServer { _, path in
                let client = try await TTRPCClient.connect(path: path)
                _ = try await client.unary("test.Echo", "Echo", [])
                // Leaves one descriptor for the next client, so that the server has none to accept it with.
                let taken = takeDescriptors(leaving: 1)
                let second = try await TTRPCClient.connect(path: path)
                let before = processorTime()
                await #expect(throws: RPCError.self) {
                    try await second.unary("test.Echo", "Echo", [], timeout: .milliseconds(500))
                }
                try #require(processorTime() - before < 0.25, "it is in a busy loop")
                _ = try await client.unary("test.Echo", "Echo", [])
                taken.forEach { _ = close($0) }
                _ = try await second.unary("test.Echo", "Echo", [])
            }
        }
    }
}

/// Takes all descriptors that the process may have, except a few.
private func takeDescriptors(leaving count: Int) -> [CInt] {
    var limit = rlimit(rlim_cur: 256, rlim_max: 256)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [CInt] = []
    while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
    taken.suffix(count).forEach { _ = close($0) }
    return taken.dropLast(count)
}

/// The processor time of the process in seconds.
private func processorTime() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
}
