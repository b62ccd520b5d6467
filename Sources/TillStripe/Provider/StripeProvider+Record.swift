package import TillEngine
package import TillModel

extension StripeProvider {
    package func recordedCharges(from offset: Int, limit: Int) async throws(TillError) -> [ProviderCharge] {
        throw TillError(.unimplemented, "TEMPORARY")
    }
}
