public import CStoreKit
public import Foundation
import NIOConcurrencyHelpers

/// A piece of content that the store hosts for a product (https://developer.apple.com/documentation/storekit/skdownload).
///
/// There is one object for each download while its transaction is in the queue: what it shows changes in place, right
/// before observers are told. The daemon downloads, so that a download goes on when the application is gone.
// All of it is under one lock.
open class SKDownload: NSObject, @unchecked Sendable {
    private let fields = NIOLockedValueBox(DownloadFields())

    /// A download of nothing, waiting.
    public override init() {
        super.init()
    }

    convenience init(fields: DownloadFields) {
        self.init()
        self.fields.withLockedValue { $0 = fields }
    }

    /// Where it stands (https://developer.apple.com/documentation/storekit/skdownload/state).
    open var state: SKDownloadState { shown.state }

    /// The same under its older name (https://developer.apple.com/documentation/storekit/skdownload/downloadstate).
    open var downloadState: SKDownloadState { state }

    /// Of what is downloaded, in bytes (https://developer.apple.com/documentation/storekit/skdownload/contentlength-12ayd).
    open var contentLength: Int64 { shown.contentLength }

    /// The same under its newer name (https://developer.apple.com/documentation/storekit/skdownload/expectedcontentlength).
    open var expectedContentLength: Int64 { contentLength }

    /// Which content it is (https://developer.apple.com/documentation/storekit/skdownload/contentidentifier).
    open var contentIdentifier: String { shown.contentIdentifier }

    /// Where the content is, once finished: a file, or the directory of an archive's files. It can be read, by this
    /// account alone, until the transaction is finished; what is to stay is copied before
    /// (https://developer.apple.com/documentation/storekit/skdownload/contenturl).
    open var contentURL: URL? { shown.contentURL }

    /// Integers separated by periods (https://developer.apple.com/documentation/storekit/skdownload/contentversion).
    open var contentVersion: String { shown.contentVersion }

    /// Why it failed: an ``SKError``; nil unless it did
    /// (https://developer.apple.com/documentation/storekit/skdownload/error).
    open var error: (any Error)? { shown.error }

    /// From 0 to 1 (https://developer.apple.com/documentation/storekit/skdownload/progress).
    open var progress: Float { shown.progress }

    /// An estimate in seconds, or ``SKDownloadTimeRemainingUnknown``
    /// (https://developer.apple.com/documentation/storekit/skdownload/timeremaining).
    open var timeRemaining: TimeInterval { shown.timeRemaining }

    /// The transaction that it belongs to (https://developer.apple.com/documentation/storekit/skdownload/transaction).
    open var transaction: SKPaymentTransaction { shown.transaction ?? SKPaymentTransaction() }

    /// Where a product's content lies; nil unless a download of it is finished and its transaction is not. Of several
    /// pieces it is the first (https://developer.apple.com/documentation/storekit/skdownload/contenturl(forproductid:)).
    open class func contentURL(forProductID productID: String) -> URL? {
        SKPaymentQueue.current.transactions.lazy.flatMap(\.downloads)
            .first { $0.shown.productIdentifier == productID && $0.contentURL != nil }?.contentURL
    }

    /// Does nothing: content goes when its transaction is finished
    /// (https://developer.apple.com/documentation/storekit/skdownload/deletecontent(forproductid:)).
    open class func deleteContent(forProductID productID: String) {}

    /// The identity at the daemon; nil for an object that is no download of the store's.
    var identity: UUID? { shown.identity }

    func change<Value>(_ change: (inout DownloadFields) -> Value) -> Value {
        fields.withLockedValue { change(&$0) }
    }

    private var shown: DownloadFields { fields.withLockedValue { $0 } }
}
