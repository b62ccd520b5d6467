import ArgumentParser
import TillModel

/// An environment of receipts, by the name that Apple's libraries have for it.
struct EnvironmentArgument: ExpressibleByArgument, Sendable {
    let environment: ReceiptEnvironment

    init?(argument: String) {
        let named = ReceiptEnvironment.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
        guard let named else {
            return nil
        }
        environment = named
    }

    static var allValueStrings: [String] {
        ReceiptEnvironment.allCases.map(\.rawValue)
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }
}
