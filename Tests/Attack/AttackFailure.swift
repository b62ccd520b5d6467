/// Why a promise does not hold, or was not examined.
struct AttackFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
