import Foundation

/// What the payer typed into the fields of a page. It is read and forgotten: no object and no log has the number.
struct TypedCard: Hashable, Sendable {
    /// Why a page does not accept a card.
    enum Problem: String, Error {
        case number = "This is not the number of a test card."
        case expiry = "The card has expired, or the date is not MM/YY."
        case code = "The security code must have three or four digits."
    }

    var number: String
    var expiry: String
    var code: String

    init(_ fields: FormFields) {
        number = (fields.string("number") ?? "").filter { !$0.isWhitespace }
        expiry = fields.string("expiry") ?? ""
        code = fields.string("cvc") ?? ""
    }

    /// Returns the id of the test method that has this number.
    /// - Parameter now: Unix time.
    func method(at now: Int) throws(Problem) -> String {
        guard let method = TestMethod.all.first(where: { $0.number == number }) else {
            throw .number
        }
        guard isValid(at: now) else {
            throw .expiry
        }
        guard (3...4).contains(code.utf8.count), Int(code) != nil else {
            throw .code
        }
        return method.id
    }

    /// A card is valid until the end of its month.
    private func isValid(at now: Int) -> Bool {
        let parts = expiry.split(separator: "/").map { Int($0.filter { $0 != " " }) }
        guard parts.count == 2, let month = parts[0], let year = parts[1], (1...12).contains(month) else {
            return false
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let today = calendar.dateComponents([.year, .month], from: Date(timeIntervalSince1970: TimeInterval(now)))
        return (2000 + year, month) >= (today.year ?? 0, today.month ?? 0)
    }
}
