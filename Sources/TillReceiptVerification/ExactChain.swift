import SwiftASN1
import X509

/// Accepts only the receipt's own chain as the path from the leaf to the root.
struct ExactChain: VerifierPolicy {
    let certificates: [Certificate]
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        Array(chain) == certificates
            ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificates do not follow one another")
    }
}
