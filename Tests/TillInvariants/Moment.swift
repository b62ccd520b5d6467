/// The moment at which the books were read.
package enum Moment: Hashable, Sendable {
    /// After everything that was begun has settled.
    case settled
    /// At any moment, even during work, as after a crash.
    case any
}
