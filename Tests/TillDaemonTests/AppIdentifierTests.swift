import Testing
import TillModel
@testable import TillDaemon

/// The application's id in the App Store, which Apple's libraries require in production receipts.
@Suite struct AppIdentifierTests {
    private static func configuration(_ environment: ReceiptEnvironment, _ number: String?) throws
        -> DaemonConfiguration
    {
        var options: [String: [String]] = [
            "catalogue": ["a.storekit"], "receipt-environment": [environment.rawValue],
        ]
        options["receipt-app-id"] = number.map { [$0] }
        return try DaemonConfiguration(
            options: options,
            environment: ["HOME": "/people/someone", "XDG_RUNTIME_DIR": "/run/user/7"],
            file: nil,
            isRoot: false
        )
    }

    @Test func productionWithoutANumberIsRefusedByName() throws {
        let configuration = try Self.configuration(.production, nil)
        let fault = #expect(throws: ConfigurationFault.self) { try Daemon.appAppleID(configuration, inCatalogue: nil) }
        #expect(fault?.error.message.contains("set receipt-app-id") == true, "\(String(describing: fault))")
    }

    @Test(arguments: ReceiptEnvironment.allCases)
    func theNumberIsConfiguredOrTheCatalogues(environment: ReceiptEnvironment) throws {
        let without = try Self.configuration(environment, nil)
        #expect(try Daemon.appAppleID(without, inCatalogue: 1_600_000_000) == 1_600_000_000)
        let with = try Self.configuration(environment, "1234")
        #expect(try Daemon.appAppleID(with, inCatalogue: 1_600_000_000) == 1234)
        if environment != .production {
            #expect(try Daemon.appAppleID(without, inCatalogue: nil) == nil)
        }
    }
}
