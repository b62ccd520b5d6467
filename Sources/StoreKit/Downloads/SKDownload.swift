public import CStoreKit
public import Foundation

/// Content of a product that the store hosts (https://developer.apple.com/documentation/storekit/skdownload).
///
/// The store hosts none yet: no transaction has a download, and one that a program makes stays as it is.
// It has no stored properties.
open class SKDownload: NSObject, @unchecked Sendable {
    /// A download of nothing, waiting.
    public override init() {
        super.init()
    }

    /// Where it stands (https://developer.apple.com/documentation/storekit/skdownload/state).
    open var state: SKDownloadState { .waiting }

    /// The same under its older name (https://developer.apple.com/documentation/storekit/skdownload/downloadstate).
    open var downloadState: SKDownloadState { state }

    /// In bytes (https://developer.apple.com/documentation/storekit/skdownload/contentlength-12ayd).
    open var contentLength: Int64 { 0 }

    /// The same under its newer name (https://developer.apple.com/documentation/storekit/skdownload/expectedcontentlength).
    open var expectedContentLength: Int64 { contentLength }

    /// Which content it is (https://developer.apple.com/documentation/storekit/skdownload/contentidentifier).
    open var contentIdentifier: String { "" }

    /// Where the content is, once finished (https://developer.apple.com/documentation/storekit/skdownload/contenturl).
    open var contentURL: URL? { nil }

    /// Of the content (https://developer.apple.com/documentation/storekit/skdownload/contentversion).
    open var contentVersion: String { "" }

    /// Why it failed; nil unless it did (https://developer.apple.com/documentation/storekit/skdownload/error).
    open var error: (any Error)? { nil }

    /// From 0 to 1 (https://developer.apple.com/documentation/storekit/skdownload/progress).
    open var progress: Float { 0 }

    /// An estimate in seconds, or ``SKDownloadTimeRemainingUnknown``
    /// (https://developer.apple.com/documentation/storekit/skdownload/timeremaining).
    open var timeRemaining: TimeInterval { -1 }

    /// The transaction that it belongs to (https://developer.apple.com/documentation/storekit/skdownload/transaction).
    open var transaction: SKPaymentTransaction { SKPaymentTransaction() }

    /// Where a product's content lies; nil while the store hosts none
    /// (https://developer.apple.com/documentation/storekit/skdownload/contenturl(forproductid:)).
    open class func contentURL(forProductID productID: String) -> URL? { nil }

    /// Removes a product's content; there is none yet
    /// (https://developer.apple.com/documentation/storekit/skdownload/deletecontent(forproductid:)).
    open class func deleteContent(forProductID productID: String) {}
}
