import Foundation
import Testing
import TillModel
@testable import TillClient

@Suite struct ClientConfigurationTests {
    @Test func theTimeLimitsHaveDefaults() {
        let configuration = ClientConfiguration(application: "org.example.notes", socketPath: "/tmp/s")
        #expect(configuration.application == "org.example.notes")
        #expect(configuration.socketPath == "/tmp/s")
        #expect(configuration.callTimeout == .seconds(30))
        #expect(configuration.restoreTimeout == .seconds(90))
    }

    @Test(arguments: [
        (environment: ["TILL_SOCKET": "/tmp/own"], path: "/tmp/own"),
        (environment: ["TILL_SOCKET": "/tmp/own", "XDG_RUNTIME_DIR": "/run/user/1"], path: "/tmp/own"),
        (environment: ["TILL_SOCKET": ""], path: DefaultPaths.systemSocket),
        (environment: [:], path: DefaultPaths.systemSocket),
        (environment: ["XDG_RUNTIME_DIR": "/nonexistent"], path: DefaultPaths.systemSocket),
        (environment: ["XDG_RUNTIME_DIR": "relative"], path: DefaultPaths.systemSocket),
    ])
    func theSocketIsTheNamedOneOrTheSystems(environment: [String: String], path: String) {
        #expect(ClientConfiguration.defaultSocketPath(environment) == path)
    }

    @Test func theUsersOwnSocketIsPreferredIfItExists() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        let socket = directory.appending(path: "till/till.sock")
        try FileManager.default.createDirectory(
            at: socket.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data().write(to: socket)
        #expect(ClientConfiguration.defaultSocketPath(["XDG_RUNTIME_DIR": directory.path]) == socket.path)
    }
}
