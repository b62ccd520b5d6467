import Glibc
import NIOCore
import Testing

@testable import TTRPC

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
