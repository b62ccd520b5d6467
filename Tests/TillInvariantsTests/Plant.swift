import Testing
import TillInvariants

/// A way to break the story, and the invariant that a check must find broken.
struct Plant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var breaks: Invariant
    var breakStory: @Sendable (inout Story) -> Void

    init(_ name: String, breaks invariant: Invariant, _ breakStory: @escaping @Sendable (inout Story) -> Void) {
        testDescription = name
        breaks = invariant
        self.breakStory = breakStory
    }
}
