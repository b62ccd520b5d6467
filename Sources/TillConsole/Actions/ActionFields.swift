import FoundationEssentials
import TillEngine
import TillModel
import TillOutput

/// The fields of a form, as the script sends them: a JSON object of texts. Empty ones do not count.
struct ActionFields {
    private let values: [String: String]

    /// - Throws: `invalidArgument` for anything else.
    init(json bytes: [UInt8]) throws(TillError) {
        guard let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
            throw TillError(.invalidArgument, "The body must be a JSON object whose values are texts.")
        }
        try Self.checkTexts(object)
        values = object.filter { !$0.value.isEmpty }
    }

    /// Refuses U+0000, which not every ledger can keep, whether a ledger is asked about the text or stores it.
    static func checkTexts(_ values: [String: String]) throws(TillError) {
        if let name = values.filter({ $0.value.containsNUL }).keys.min() {
            throw TillError(.invalidArgument, "Invalid \(name.replacingNUL): use text without the character U+0000.")
        }
    }

    /// The text of a field; nil if it is empty.
    subscript(name: String) -> String? {
        values[name]
    }

    /// - Throws: `invalidArgument` for an empty field, as those below do for a wrong one.
    func text(_ name: String) throws(TillError) -> String {
        guard let text = values[name] else {
            throw TillError(.invalidArgument, "The field \(name) is empty.")
        }
        return text
    }

    /// The operator, with the reason that a change needs.
    func identity(of viewer: ConsoleSessions.Session) throws(TillError) -> OperatorIdentity {
        let identity = OperatorIdentity(uid: viewer.uid, reason: try text("reason"))
        try identity.validate()
        return identity
    }

    func id() throws(TillError) -> UUID {
        try UUID(ofTransaction: try text("id"))
    }

    func identifier(_ name: String) throws(TillError) -> String {
        let text = try text(name)
        guard Identifier.isValid(text) else {
            throw TillError(
                .invalidArgument,
                "Invalid \(name): use 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        return text
    }

    func queueName() throws(TillError) -> QueueName {
        QueueName(application: try identifier("application"), account: try identifier("account"))
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(TillError) -> Int {
        guard let number = Int(try text(name)), range.contains(number) else {
            throw TillError(
                .invalidArgument,
                "Invalid \(name): use a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// The price that the page showed; nil without one.
    func price() throws(TillError) -> Price? {
        guard let text = self["price"] else {
            return nil
        }
        guard let amount = Decimal(string: text) else {
            throw TillError(.invalidArgument, "Invalid price: use a decimal number.")
        }
        return Price(amount: amount, currency: try self.text("currency"))
    }

    func isTrue(_ name: String) throws(TillError) -> Bool {
        guard let value = Bool(try text(name)) else {
            throw TillError(.invalidArgument, "Invalid \(name): use true or false.")
        }
        return value
    }

    func choice<Choice: CaseNamed>(_ name: String) throws(TillError) -> Choice {
        let text = try text(name)
        guard let choice = Choice.named(text) else {
            let names = Choice.allCases.map(\.name).joined(separator: ", ")
            throw TillError(.invalidArgument, "Invalid \(name): use one of \(names).")
        }
        return choice
    }
}
