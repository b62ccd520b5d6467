import FoundationEssentials
import TillCrypto
package import TillModel
package import TillStripe

/// What is refused before anything is sent: the checks make objects, which only test mode may have.
package enum TestModeGate {
    /// One byte more than a key, for the newline.
    private static let fileMaximum = StripeKey.lengthMaximum + 1
    private static let advice = "use a key of test mode, which begins with rk_test_ or sk_test_"

    /// Reads a key of test mode.
    ///
    /// - Throws: An error that names the file and says what to do.
    package static func key(in path: String) throws(TillError) -> StripeKey {
        guard let secret = try SecretFile.read(path, atMost: fileMaximum) else {
            throw TillError(.notFound, "There is no file \(path): put a secret key of Stripe's test mode there.")
        }
        guard secret.lines.contains(where: { $0.count > 0 }) else {
            throw TillError(.failedPrecondition, "\(path) is empty: put a secret key of Stripe's test mode there.")
        }
        guard let key = try? StripeKey(secret) else {
            throw TillError(.failedPrecondition, "\(path) has no secret key of Stripe: \(advice).")
        }
        guard key.mode == .test else {
            throw TillError(.failedPrecondition, "\(path) has a live key, and nothing was sent: \(advice).")
        }
        return key
    }

    /// Checks the address of the API: Stripe's own, or a stand-in's on this machine.
    package static func check(address: String) throws(TillError) {
        guard address != StripeAPI.address else {
            return
        }
        let url = URL(string: address)
        guard url?.scheme == "http", ["127.0.0.1", "localhost", "::1"].contains(url?.host() ?? "") else {
            throw TillError(
                .invalidArgument,
                "Invalid address \(address): use \(StripeAPI.address), or an http:// address of this machine."
            )
        }
    }
}
