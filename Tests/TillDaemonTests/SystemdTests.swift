import Foundation
import Glibc
import Testing
import TillModel
@testable import TillDaemon

@Suite struct SystemdTests {
    /// The variables with which a service manager passes `count` descriptors to this process.
    private static func passing(_ count: String) -> [String: String] {
        ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": count]
    }

    /// A listening Unix socket at a path, or another kind of descriptor.
    private static func socket(at path: String, type: __socket_type = SOCK_STREAM, listens: Bool = true) throws -> CInt
    {
        let descriptor = Glibc.socket(AF_UNIX, CInt(type.rawValue), 0)
        let isBound = try unsafe UnixAddress.with(path) { unsafe Glibc.bind(descriptor, $0, $1) } == 0
        try #require(descriptor >= 0 && isBound && (!listens || listen(descriptor, 1) == 0))
        return descriptor
    }

    private static func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
            .path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    @Test func aPassedSocketIsTaken() throws {
        try Self.withDirectory { directory in
            let path = "\(directory)/s"
            let descriptor = try Self.socket(at: path)
            defer { close(descriptor) }
            let systemd = Systemd(environment: Self.passing("1"), first: descriptor)
            #expect(try systemd.socket(at: path) == descriptor)
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "programs that the daemon starts would have it too")
            #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
            let error = #expect(throws: TillError.self) { try systemd.socket(at: "/elsewhere") }
            #expect(error?.message.contains("passed the socket \(path), but --socket is /elsewhere") == true)
        }
    }

    @Test(arguments: [[:], ["LISTEN_FDS": "1"], ["LISTEN_FDS": "1", "LISTEN_PID": "1"], passing("0")])
    func nothingIsTakenThatWasNotPassedToThisProcess(environment: [String: String]) throws {
        #expect(try Systemd(environment: environment, first: -1).socket(at: "/s") == nil)
    }

    @Test(arguments: ["2", "-1", "x", ""])
    func onlyOneSocketIsTaken(count: String) {
        let error = #expect(throws: TillError.self) {
            try Systemd(environment: Self.passing(count), first: 0).socket(at: "/s")
        }
        #expect(error?.code == .failedPrecondition && error?.message.contains("passed \(count) sockets") == true)
    }

    @Test func onlyAListeningStreamIsTaken() throws {
        try Self.withDirectory { directory in
            let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
            let datagrams = try Self.socket(at: "\(directory)/d", type: SOCK_DGRAM, listens: false)
            let silent = try Self.socket(at: "\(directory)/s", listens: false)
            defer { [datagrams, silent].forEach { close($0) } }
            for descriptor in [file.fileDescriptor, datagrams, silent, -1] {
                let systemd = Systemd(environment: Self.passing("1"), first: descriptor)
                let error = #expect(throws: TillError.self) { try systemd.socket(at: "\(directory)/s") }
                #expect(error?.message.contains("no listening Unix socket") == true)
            }
        }
    }

    /// A name that begins with @ is one without a path.
    @Test(arguments: [true, false])
    func theManagerIsTold(isAbstract: Bool) throws {
        try Self.withDirectory { directory in
            let name = isAbstract ? "@\(directory)" : "\(directory)/n"
            let path = isAbstract ? "\0\(directory)" : name
            let receiver = try Self.socket(at: path, type: SOCK_DGRAM, listens: false)
            defer { close(receiver) }
            Systemd(environment: ["NOTIFY_SOCKET": name]).notify(.ready)
            Systemd(environment: ["NOTIFY_SOCKET": name]).notify(.stopping)
            for expected in ["READY=1", "STOPPING=1"] {
                var bytes = [UInt8](repeating: 0, count: 64)
                let count = unsafe recv(receiver, &bytes, bytes.count, CInt(MSG_DONTWAIT))
                try #require(count > 0)
                #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == expected)
            }
        }
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:1"], ["NOTIFY_SOCKET": "/gone"]])
    func aManagerThatCannotBeToldIsNoError(environment: [String: String]) {
        Systemd(environment: environment).notify(.ready)
    }
}
