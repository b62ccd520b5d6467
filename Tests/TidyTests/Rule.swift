import Testing

/// Something that can be counted about the form of a file.
struct Rule: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence, which is what a failed test shows.
    let testDescription: String
    let violations: @Sendable (SourceFile) -> [Violation]

    init(_ sentence: String, _ violations: @escaping @Sendable (SourceFile) -> [Violation]) {
        testDescription = sentence
        self.violations = violations
    }

    /// A rule for the files that `applies` picks, whose code may not contain what the pattern describes.
    init<Output>(
        _ sentence: String,
        forbidding pattern: @escaping @Sendable () -> Regex<Output>,
        where applies: @escaping @Sendable (SourceFile) -> Bool
    ) {
        self.init(sentence) { applies($0) ? $0.code(matching: pattern()) : [] }
    }

    static let all = form + safety + concurrency + structure + texts
}
