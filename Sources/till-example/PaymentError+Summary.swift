import TillClient

extension PaymentError {
    /// The code, whether money moved, whether a retry is safe, and the message.
    var summary: String {
        "error=\(code) moneyMoved=\(moneyMoved) retry=\(retry)  \(message)"
    }
}
