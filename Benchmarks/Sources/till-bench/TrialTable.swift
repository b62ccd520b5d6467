import Foundation

/// The results of a trial.
struct TrialTable: Codable, Sendable {
    private static let nameWidth = 56
    private static let numberWidth = 12

    let trial: String
    let title: String
    let repetitions: Int
    let quantities: [Quantity]
    /// The reason if there are unexpectedly no figures.
    let failure: String?

    var text: String {
        let title = "\(trial): \(title) (medians of \(repetitions))"
        if let failure {
            return "\(title)\n\(failure)"
        }
        let heads = line("what", ["median", "min", "max"])
        return ([title, heads] + quantities.map(text)).joined(separator: "\n")
    }

    private func text(of quantity: Quantity) -> String {
        let numbers = [quantity.median, quantity.values.min(), quantity.values.max()]
        let texts = numbers.map { number in number.map { String(format: "%.\($0 < 1000 ? 1 : 0)f", $0) } ?? "–" }
        return line("\(quantity.name), \(quantity.unit)", texts)
    }

    private func line(_ name: String, _ cells: [String]) -> String {
        let head = name.padding(toLength: max(Self.nameWidth, name.count), withPad: " ", startingAt: 0)
        return head + cells.map { String(repeating: " ", count: max(1, Self.numberWidth - $0.count)) + $0 }.joined()
    }
}
