import TillClient

extension PaymentError {
    /// The code, whether money moved, whether to try again, and the message.
    var summary: String {
        "error=\(code) moneyMoved=\(moneyMoved) retry=\(retry)  \(message)"
    }
}
