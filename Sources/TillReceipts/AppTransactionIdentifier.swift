/// The identity of an application's download by an account, as receipts name it: the queue, in the App Store's form.
enum AppTransactionIdentifier {
    private static let prefix = "704"
    private static let digits = 15

    static func text(queue: Int64) -> String {
        let number = String(queue.magnitude)
        return prefix + String(repeating: "0", count: max(0, digits - number.count)) + number
    }
}
