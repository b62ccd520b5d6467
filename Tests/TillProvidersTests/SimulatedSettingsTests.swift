import Foundation
import Testing
import TillEngine
import TillModel
import TillProviders
import TillTesting

@Suite struct SimulatedSettingsTests {
    @Test func everyFaultHasASettingThatIsInForceAtOnce() async throws {
        try await inTemporaryDirectory { directory in
            var faults = SimulatedFaults()
            faults.declined = ["bad"]
            let provider = try SimulatedProvider(directory: directory, faults: faults)
            #expect(
                provider.settings.map { "\($0.name)=\($0.value)" } == [
                    "provider-decline=bad", "provider-timeout-before=", "provider-timeout-during=",
                    "provider-timeout-after=", "provider-unreachable=", "provider-slow=", "provider-delay=5",
                    "provider-refuse-restore=", "provider-decline-refund=", "provider-forget-keys=false",
                ]
            )
            #expect(provider.settings.filter(\.isChanged).isEmpty)
            try provider.changeSetting("provider-decline", to: "coins,themes")
            #expect(provider.settings.filter(\.isChanged).map(\.value) == ["coins,themes"])
            guard case .declined = await provider.charge(SimulatedProviderTests.request("coins")),
                case .succeeded = await provider.charge(SimulatedProviderTests.request("bad"))
            else {
                Issue.record("The setting is not in force.")
                return
            }
            try provider.changeSetting("provider-decline", to: nil)
            #expect(provider.settings.filter(\.isChanged).isEmpty)
        }
    }

    @Test(arguments: [
        ("provider-decline", "a b"), ("provider-decline", String(repeating: "x", count: 129)),
        ("provider-decline", Array(repeating: "x", count: 65).joined(separator: ",")),
        ("provider-delay", "-1"), ("provider-delay", "3601"), ("provider-delay", "nan"), ("provider-delay", ""),
        ("provider-forget-keys", "maybe"), ("provider-other", "1"), ("decline", "coins"),
    ])
    func invalidSettingsAreRefused(name: String, value: String) async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            await expect(.invalidArgument) { try provider.checkSetting(name, value) }
            await expect(.invalidArgument) { try provider.changeSetting(name, to: value) }
            #expect(provider.settings.filter(\.isChanged).isEmpty)
        }
    }

    @Test(arguments: ["0", "0.5", "5", "3600"])
    func aDelayIsSeconds(text: String) async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            try provider.changeSetting("provider-delay", to: text)
            #expect(provider.settings.first { $0.name == "provider-delay" }?.value == text)
        }
    }

    @Test func aForgottenIdentityIsChargedAgainAndTheRecordShowsIt() async throws {
        try await inTemporaryDirectory { directory in
            let time = VirtualTime()
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults(), time: time)
            let request = SimulatedProviderTests.request("coins")
            let reference = "sim_\(request.paymentID.text)"
            #expect(await provider.charge(request) == .succeeded(reference: reference))
            time.advance(by: 86_401)
            #expect(await provider.query(request.paymentID) == .settled(.succeeded(reference: reference)))
            try provider.changeSetting("provider-forget-keys", to: "true")
            #expect(await provider.query(request.paymentID) == .notFound)
            #expect(await provider.charge(request) == .succeeded(reference: "\(reference)_2"))
            #expect(await provider.charge(request) == .succeeded(reference: "\(reference)_2"))
            let recorded = try await provider.record(after: nil).charges
            #expect(recorded.map(\.reference) == [reference, "\(reference)_2"])
            #expect(try SimulatedRecord.charges(in: directory) == recorded)
        }
    }

    @Test func nothingIsForgottenWithinADay() async throws {
        try await inTemporaryDirectory { directory in
            let time = VirtualTime()
            var faults = SimulatedFaults()
            faults.forgetsKeys = true
            let provider = try SimulatedProvider(directory: directory, faults: faults, time: time)
            let request = SimulatedProviderTests.request("coins")
            _ = await provider.charge(request)
            time.advance(by: 86_400)
            _ = await provider.charge(request)
            #expect(try await provider.record(after: nil).charges.count == 1)
        }
    }

    @Test func aTimeoutDuringTheEffectHasItHappenLater() async throws {
        try await inTemporaryDirectory { directory in
            let time = VirtualTime()
            var faults = SimulatedFaults()
            faults.timeoutDuringEffect = ["coins"]
            let provider = try SimulatedProvider(directory: directory, faults: faults, time: time)
            let request = SimulatedProviderTests.request("coins")
            let reference = "sim_\(request.paymentID.text)"
            #expect(await provider.charge(request) == .unknown(reason: "the provider timed out"))
            #expect(await provider.query(request.paymentID) == .notFound)
            guard case .unknown = await provider.charge(request) else {
                Issue.record("The provider answered before it was done.")
                return
            }
            time.advance(by: 5)
            #expect(await provider.query(request.paymentID) == .settled(.succeeded(reference: reference)))
            #expect(await provider.charge(request) == .succeeded(reference: reference))
            #expect(try await provider.record(after: nil).charges.count == 1)
        }
    }
}

@Suite struct ProviderRecordPageTests {
    @Test(
        arguments: [
            (nil, 2, 0..<2, "2"), ("2", 2, 2..<4, "4"), ("4", 2, 4..<5, nil), ("5", 2, 5..<5, nil),
            ("0", 5, 0..<5, nil),
            ("-1", 1, 0..<1, "1"), ("\(Int.max)", 3, 5..<5, nil), ("x", 9, 0..<5, nil),
        ] as [(String?, Int, Range<Int>, String?)]
    )
    func aPageContinuesTheOneBefore(cursor: String?, limit: Int, range: Range<Int>, next: String?) {
        let charges = (0..<5).map { ProviderCharge(paymentID: UUID(), amount: $0, currency: "EUR", reference: "r") }
        let page = ProviderRecordPage(charges, after: cursor, limit: limit)
        #expect(page == ProviderRecordPage(charges: Array(charges[range]), next: next))
    }
}
