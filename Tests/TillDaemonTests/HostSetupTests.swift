import FoundationEssentials
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
