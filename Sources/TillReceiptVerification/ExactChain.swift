import SwiftASN1
import X509

/// Accepts no other path from the leaf to the root than the chain that the receipt shows.
struct ExactChain: VerifierPolicy {
    let certificates: [Certificate]
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        Array(chain) == certificates
            ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificates do not follow one another")
    }
}
