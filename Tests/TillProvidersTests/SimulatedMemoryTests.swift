import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillProviders

@Suite struct SimulatedMemoryTests {
    @Test func withoutAPlaceForItTheRecordIsInMemory() async throws {
        let provider = SimulatedProvider()
        let request = ChargeRequest(
            paymentID: .version7(),
            application: "a",
            account: "uid:1",
            productID: "coins",
            quantity: 1,
            amount: 99,
            currency: "USD"
        )
        #expect(await provider.query(request.paymentID) == .notFound)
        let outcome = await provider.charge(request)
        #expect(await provider.charge(request) == outcome)
        #expect(await provider.query(request.paymentID) == .settled(outcome))
        let charges = try await provider.record(after: nil).charges
        #expect(charges.map(\.paymentID) == [request.paymentID])
        let half = ProviderRefundRequest(
            refundID: .version7(),
            paymentID: request.paymentID,
            charge: "simulated-1",
            amount: 98,
            currency: "USD"
        )
        guard case .succeeded = await provider.refund(half) else {
            Issue.record("The refund failed.")
            return
        }
        let tooMuch = ProviderRefundRequest(
            refundID: .version7(),
            paymentID: request.paymentID,
            charge: "simulated-1",
            amount: 2,
            currency: "USD"
        )
        guard case .declined = await provider.refund(tooMuch) else {
            Issue.record("More was given back than was charged.")
            return
        }
    }
}
