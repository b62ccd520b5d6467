import Testing
@testable import TillDaemon

/// Only this machine can reach the webhook listener.
@Suite struct LocalAddressTests {
    @Test(arguments: [
        ("unix:/run/till/webhooks.sock", LocalAddress.socket("/run/till/webhooks.sock")),
        ("127.0.0.1:8480", .loopback("127.0.0.1", port: 8480)),
        ("127.255.255.254:1", .loopback("127.255.255.254", port: 1)),
        ("[::1]:65535", .loopback("::1", port: 65_535)),
    ])
    func anAddressOfThisMachineIsAccepted(text: String, address: LocalAddress) {
        #expect(LocalAddress(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":", "8480", ":8480", "0.0.0.0:8480", "10.0.0.1:8480", "192.168.1.1:80", "126.255.255.255:80",
        "128.0.0.1:80",
        "[::]:8480", "::1:8480", "[::1]", "[::ffff:127.0.0.1]:80", "[fe80::1]:80", "localhost:8480",
        "shop.example.org:80",
        "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:000080",
        "127.1:80", "2130706433:80", "127.0.0.1.example.org:80", "127.0.0.1 :80", "unix:", "unix:webhooks.sock",
        "/run/sock",
        "http://127.0.0.1:80", "127.0.0.1:80/path", "*:80",
    ])
    func anyOtherIsRefused(text: String) {
        #expect(LocalAddress(text) == nil)
    }
}
