import Glibc
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

@Suite("Descriptors passed by a peer", .timeLimit(.minutes(10)))
struct PassedDescriptorTests {
    /// The kernel closes a passed descriptor if the reader provides no space for it; the pipe's other end shows that.
    @Test func aPassedDescriptorIsDropped() async throws {
        try await withServer { _, path in
            var ends: [CInt] = [0, 0]
            try #require(unsafe pipe(&ends) == 0)
            let peer = try connectBlocking(to: path)
            defer { close(peer) }
            let frame = Array(buffer: Frame.request(1, payload: [1, 2, 3]).wire)
            #expect(send(frame, passing: ends[1], over: peer) == frame.count)
            close(ends[1])
            var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            try await until { unsafe poll(&end, 1, 0) != 0 }
            #expect(end.revents & Int16(POLLHUP) != 0, "the other end is still open")
            close(ends[0])
        }
    }

    private func connectBlocking(to path: String) throws -> CInt {
        let peer = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(peer, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        return peer
    }

    /// The results of the C macros CMSG_LEN and CMSG_SPACE for one descriptor: a 16-byte header and the padded data.
    private func send(_ bytes: [UInt8], passing descriptor: CInt, over peer: CInt) -> Int {
        var bytes = bytes
        var control: [UInt64] = [20, UInt64(SOL_SOCKET) | UInt64(0x01) << 32, UInt64(descriptor)]
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = unsafe part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe sendmsg(peer, &message, 0)
                }
            }
        }
    }
}
