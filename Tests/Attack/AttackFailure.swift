/// A promise that does not hold, or that could not be examined.
struct AttackFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
