/// A fault of what surrounds the daemon, which it cannot make good, so that a check that misses it is none.
package enum Flaw: String, Sendable, CaseIterable {
    /// A crash takes the last commit, which was flushed.
    case lyingDisk
    /// The provider forgets idempotency keys at once.
    case forgetfulProvider
    /// Clients finish in their history what they never asked to be finished.
    case boastfulClients
}
