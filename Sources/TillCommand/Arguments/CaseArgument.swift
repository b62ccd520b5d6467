import ArgumentParser

/// One of the cases of an enumeration, by its name with hyphens: `needs-review`.
struct CaseArgument<Value: CaseNamed & Sendable>: ExpressibleByArgument, Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard let value = Value.allCases.first(where: { $0.words(separator: "-") == argument }) else {
            return nil
        }
        self.value = value
    }

    var defaultValueDescription: String {
        value.words(separator: "-")
    }

    static var allValueStrings: [String] {
        Value.allCases.map { $0.words(separator: "-") }
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }
}
