/// When the books were read.
package enum Moment: Hashable, Sendable {
    /// After everything that was begun has come to its end.
    case settled
    /// Whenever: in the middle of the work, as after a crash.
    case any
}
