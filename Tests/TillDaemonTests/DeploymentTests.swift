import Foundation
import Testing
import TillService
@testable import TillDaemon

/// The installed service and configuration agree with the daemon.
@Suite struct DeploymentTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/tilld/Deployment").path

    private static func settings(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(directory)/tilld.service", encoding: .utf8)
            .split(separator: "\n")
            .filter { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    @Test func theServicesVariablesAreTheDaemons() throws {
        let known = Set(
            ConfigurationKey.all.map { key in
                "TILL_" + key.name.uppercased().replacing(["-", "."], with: "_")
            }
        )
        let names = try Self.settings("Environment").flatMap { $0.split(separator: " ") }
            .compactMap { $0.split(separator: "=").first.map(String.init) }
            .filter { $0.hasPrefix("TILL_") }
        #expect(Set(names) == ["TILL_STATE", "TILL_SOCKET", "TILL_CONTENT"])
        #expect(known.isSuperset(of: names))
    }

    @Test func theServiceMayOpenAllFilesThatTheDaemonNeeds() throws {
        let configuration = try Self.configuration()
        let limit = try #require(try Self.settings("LimitNOFILE").first.flatMap { Int($0) })
        #expect(limit >= configuration.openFilesNeeded)
    }

    @Test func theExampleIsAConfiguration() throws {
        let configuration = try Self.configuration()
        #expect(configuration.catalogueFiles == ["/etc/till/store.storekit"])
        #expect(configuration.policy.isOpenToOthers)
    }

    private static func configuration() throws -> DaemonConfiguration {
        try DaemonConfiguration(options: [:], environment: [:], file: "\(directory)/tilld.json", isRoot: true)
    }
}
