import Foundation
import Testing
import TillModel

@testable import TillDaemon

@Suite struct HostSetupTests {
    @Test func eachKeyOfOneHostIsAKey() {
        #expect(HostSetup.keysOfOneHost.allSatisfy { ConfigurationKey[$0] != nil })
    }

    static let configurations: [(first: [String: [String]], second: [String: [String]], agree: Bool)] = [
        (["provider": ["stripe"]], ["provider": ["stripe"]], true),
        (["restore-deadline": ["7"]], ["restore-deadline": ["8"]], false),
        (["restore-deadline": ["7"]], [:], false),
        (["setting": ["a=1", "b=2"]], ["setting": ["a=1b=2"]], false),
        (["setting": ["a=1", "b=2"]], ["setting": ["b=2", "a=1"]], false),
        (["host": ["a"]], ["host": ["b"]], true),
        (["state": ["/a"], "catalogue": ["/a.storekit"]], ["state": ["/b"], "catalogue": ["/b.storekit"]], true),
        (["allow-users": ["1000"]], ["allow-users": ["1001"]], true),
    ]

    @Test(arguments: configurations)
    func onlyWhatHostsShouldHaveAlikeIsHashed(
        first: [String: [String]],
        second: [String: [String]],
        agree: Bool
    ) {
        let agrees = HostSetup.configurationHash(first) == HostSetup.configurationHash(second)
        #expect(agrees == agree, "\(first), \(second)")
    }

    @Test func theCatalogueIsHashedWithItsContentManifest() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID.version7().text)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let files = ["a.storekit", "b.storekit"].map { directory.appending(path: $0).path }
        for file in files {
            try "{}".write(toFile: file, atomically: true, encoding: .utf8)
        }
        let without = try HostSetup.catalogueHash(files)
        let manifest = directory.appending(path: "b.content.json")
        var hashes: Set = [without]
        for text in ["{ }", "{  }"] {
            try text.write(to: manifest, atomically: true, encoding: .utf8)
            hashes.insert(try HostSetup.catalogueHash(files))
        }
        #expect(hashes.count == 3)
        try FileManager.default.removeItem(at: manifest)
        #expect(try HostSetup.catalogueHash(files) == without)
    }

    private static func host(
        _ name: String,
        isLive: Bool = true,
        version: String = "1.0",
        catalogue: [UInt8] = [1],
        configuration: [UInt8] = [1]
    ) -> LedgerHost {
        LedgerHost(
            name: name,
            isLive: isLive,
            isAnswering: false,
            openedAt: .distantPast,
            commits: 0,
            version: version,
            catalogueHash: catalogue,
            configurationHash: configuration
        )
    }

    static let differences: [(second: LedgerHost, words: [String])] = [
        (host("b"), []),
        (host("b", version: "1.1"), ["versions of Till"]),
        (host("b", catalogue: [2], configuration: [2]), ["catalogues", "configurations"]),
        (host("b", isLive: false, version: "1.1"), []),
    ]

    @Test(arguments: differences)
    func differencesOfLiveHostsAreSaid(second: LedgerHost, words: [String]) {
        let found = LedgerHost.differences(of: [Self.host("a"), second])
        #expect(found == words.map { "The live hosts have different \($0): make them the same." })
    }
}
