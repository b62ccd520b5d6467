import ArgumentParser

/// What an argument says, read from its text.
protocol ArgumentText {
    /// How it is written, for who wrote it otherwise.
    static var rule: String { get }

    init?(argument: String)
}

extension ArgumentText {
    static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else {
            throw ValidationError(rule)
        }
        return value
    }
}
