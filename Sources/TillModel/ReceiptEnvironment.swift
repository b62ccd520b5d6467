/// The environment in which a receipt was signed, by the names that Apple's libraries accept
/// (https://developer.apple.com/documentation/appstoreserverapi/environment).
public enum ReceiptEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"
}
