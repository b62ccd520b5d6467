/// A planted fault in the daemon's surroundings, which the daemon cannot correct. A check must find it.
package enum Flaw: String, Sendable, CaseIterable {
    /// A crash loses the last commit, although it was flushed.
    case lyingDisk
    /// The provider forgets idempotency keys at once.
    case forgetfulProvider
    /// Clients record in their history that they finished transactions which they never asked to finish.
    case boastfulClients
    /// A host whose turn to commit was taken from it commits nevertheless.
    case unfencedHosts
}
