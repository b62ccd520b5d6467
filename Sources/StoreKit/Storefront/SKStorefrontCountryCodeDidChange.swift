public import Foundation

extension NSNotification.Name {
    /// Posted to the default centre, without an object, when the store has moved to another country; observers of a queue
    /// are told by `paymentQueueDidChangeStorefront(_:)`
    /// (https://developer.apple.com/documentation/foundation/nsnotification/name/skstorefrontcountrycodedidchange).
    public static let SKStorefrontCountryCodeDidChange =
        NSNotification.Name("SKStorefrontCountryCodeDidChangeNotification")
}
