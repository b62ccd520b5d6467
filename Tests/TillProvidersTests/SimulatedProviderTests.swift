import Foundation
import Testing
import TillEngine
import TillModel
@testable import TillProviders

@Suite struct SimulatedProviderTests {
    @Test func aPaymentIsChargedOnceHoweverOftenItIsAsked() async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let request = Self.request("coins")
            let outcomes = await withTaskGroup(of: ChargeOutcome.self) { group in
                for _ in 0..<20 {
                    group.addTask { await provider.charge(request) }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(outcomes == [.succeeded(reference: "sim_\(request.paymentID.text)")])
            #expect(try SimulatedRecord.charges(in: directory).map(\.paymentID) == [request.paymentID])
        }
    }

    @Test func theRecordOutlivesTheProcess() async throws {
        try await inTemporaryDirectory { directory in
            let request = Self.request("coins")
            _ = await (try SimulatedProvider(directory: directory, faults: SimulatedFaults())).charge(request)
            let reopened = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            #expect(
                await reopened.query(request.paymentID)
                    == .settled(.succeeded(reference: "sim_\(request.paymentID.text)"))
            )
            #expect(await reopened.query(UUID()) == .notFound)
            _ = await reopened.charge(request)
            #expect(try SimulatedRecord.charges(in: directory).count == 1)
        }
    }

    @Test func aLineThatACrashCutShortIsDropped() async throws {
        try await inTemporaryDirectory { directory in
            let first = Self.request("coins")
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            _ = await provider.charge(first)
            let path = "\(directory)/\(SimulatedRecord.fileName)"
            let whole = try #require(FileManager.default.contents(atPath: path))
            for length in 1..<whole.count {
                try (whole + whole.prefix(length)).write(to: URL(filePath: path))
                let reopened = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
                let second = Self.request("coins")
                _ = await reopened.charge(second)
                #expect(
                    try SimulatedRecord.charges(in: directory).map(\.paymentID) == [first.paymentID, second.paymentID]
                )
            }
        }
    }

    @Test func aLineThatIsNoChargeIsRefusedByNumber() async throws {
        try await inTemporaryDirectory { directory in
            try Data("{\"payment_id\":7}\n".utf8).write(to: URL(filePath: "\(directory)/\(SimulatedRecord.fileName)"))
            let error = #expect(throws: TillError.self) {
                _ = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            }
            #expect(error?.code == .dataLoss)
            #expect(error?.message.contains("Line 1") == true)
        }
    }

    @Test func aRecordOfAnEarlierVersionIsRead() async throws {
        try await inTemporaryDirectory { directory in
            let id = UUID()
            let line = """
                {"account":"uid:1000","amount":99,"application":"org.example.notes","currency":"USD",\
                "payment_id":"\(id.uuidString)","product_id":"coins","quantity":1,"reference":"sim_old"}\n
                """
            try Data(line.utf8).write(to: URL(filePath: "\(directory)/\(SimulatedRecord.fileName)"))
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            #expect(await provider.query(id) == .settled(.succeeded(reference: "sim_old")))
            #expect(
                try await provider.record(after: nil).charges == [
                    ProviderCharge(paymentID: id, amount: 99, currency: "USD", reference: "sim_old")
                ]
            )
        }
    }

    @Test func productsFailAsSet() async throws {
        try await inTemporaryDirectory { directory in
            var faults = SimulatedFaults()
            faults.declined = ["bad"]
            faults.timeoutBeforeEffect = ["before"]
            faults.timeoutAfterEffect = ["after"]
            faults.unreachable = ["away"]
            faults.refusedRestores = ["org.example.refused"]
            let provider = try SimulatedProvider(directory: directory, faults: faults)
            let before = Self.request("before")
            let after = Self.request("after")
            guard case .declined(let error) = await provider.charge(Self.request("bad")) else {
                Issue.record("A declined product was not declined.")
                return
            }
            #expect(error.providerCode == "card_declined")
            #expect(await provider.charge(before) == .unknown(reason: "the provider timed out"))
            #expect(await provider.query(before.paymentID) == .notFound)
            #expect(await provider.charge(before) == .succeeded(reference: "sim_\(before.paymentID.text)"))
            #expect(await provider.charge(after) == .unknown(reason: "the provider timed out"))
            #expect(
                await provider.query(after.paymentID)
                    == .settled(.succeeded(reference: "sim_\(after.paymentID.text)"))
            )
            #expect(
                await provider.charge(Self.request("away")) == .unknown(reason: "the provider does not answer")
            )
            #expect(await provider.authorizeRestore(application: "org.example.refused", account: "a") != nil)
            #expect(await provider.authorizeRestore(application: "org.example.notes", account: "a") == nil)
        }
    }

    static func request(_ product: String) -> ChargeRequest {
        ChargeRequest(
            paymentID: .version7(),
            application: "org.example.notes",
            account: "uid:1000",
            productID: product,
            quantity: 1,
            amount: 99,
            currency: "USD"
        )
    }
}

/// Runs `body` with a directory that is gone afterwards.
func inTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().text)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(url.path)
}
