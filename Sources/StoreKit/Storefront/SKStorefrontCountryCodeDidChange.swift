public import Foundation

extension NSNotification.Name {
    /// Posted to the default centre, without an object, when the storefront has changed; observers of a queue receive
    /// `paymentQueueDidChangeStorefront(_:)`
    /// (https://developer.apple.com/documentation/foundation/nsnotification/name/skstorefrontcountrycodedidchange).
    public static let SKStorefrontCountryCodeDidChange =
        NSNotification.Name("SKStorefrontCountryCodeDidChangeNotification")
}
