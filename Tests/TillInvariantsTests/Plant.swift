import Testing
import TillInvariants

/// A way to spoil the story, and the invariant that has to be found broken.
struct Plant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var breaks: Invariant
    var spoil: @Sendable (inout Story) -> Void

    init(_ name: String, breaks invariant: Invariant, _ spoil: @escaping @Sendable (inout Story) -> Void) {
        testDescription = name
        breaks = invariant
        self.spoil = spoil
    }
}
