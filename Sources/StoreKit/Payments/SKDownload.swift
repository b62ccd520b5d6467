public import CStoreKit
public import Foundation
import NIOConcurrencyHelpers
import TillModel

/// A piece of content that the store hosts for a product (https://developer.apple.com/documentation/storekit/skdownload).
///
/// Each download has one object while its transaction is in the queue; its values change in place, immediately before
/// observers are notified. The daemon downloads the content, so a download continues after the application exits.
// A lock protects all state.
open class SKDownload: NSObject, @unchecked Sendable {
    private let values = NIOLockedValueBox(DownloadValues())

    /// Creates an empty download in the state `waiting`.
    public override init() {
        super.init()
    }

    convenience init(values: DownloadValues) {
        self.init()
        self.values.withLockedValue { $0 = values }
    }

    /// The download's state (https://developer.apple.com/documentation/storekit/skdownload/state).
    open var state: SKDownloadState { shown.state }

    /// The download's state, under its older name
    /// (https://developer.apple.com/documentation/storekit/skdownload/downloadstate).
    open var downloadState: SKDownloadState { state }

    /// The length of the content in bytes
    /// (https://developer.apple.com/documentation/storekit/skdownload/contentlength-12ayd).
    open var contentLength: Int64 { shown.contentLength }

    /// The length of the content in bytes, under its newer name
    /// (https://developer.apple.com/documentation/storekit/skdownload/expectedcontentlength).
    open var expectedContentLength: Int64 { contentLength }

    /// The identifier of the content (https://developer.apple.com/documentation/storekit/skdownload/contentidentifier).
    open var contentIdentifier: String { shown.contentIdentifier }

    /// The location of the finished content: a file, or the directory of an archive's files. Only this account can read
    /// it, and only until the transaction is finished; copy the content before
    /// (https://developer.apple.com/documentation/storekit/skdownload/contenturl).
    open var contentURL: URL? { shown.contentURL }

    /// The content's version: integers separated by periods
    /// (https://developer.apple.com/documentation/storekit/skdownload/contentversion).
    open var contentVersion: String { shown.contentVersion }

    /// The reason a failed download failed, an ``SKError``; otherwise nil
    /// (https://developer.apple.com/documentation/storekit/skdownload/error).
    open var error: (any Error)? { shown.error }

    /// The progress from 0 to 1 (https://developer.apple.com/documentation/storekit/skdownload/progress).
    open var progress: Float { shown.progress }

    /// The estimated remaining time in seconds, or ``SKDownloadTimeRemainingUnknown``
    /// (https://developer.apple.com/documentation/storekit/skdownload/timeremaining).
    open var timeRemaining: TimeInterval { shown.timeRemaining }

    /// The transaction that it belongs to (https://developer.apple.com/documentation/storekit/skdownload/transaction).
    open var transaction: SKPaymentTransaction { shown.transaction ?? SKPaymentTransaction() }

    /// The location of a product's content; nil unless its download is finished and its transaction is not. If the
    /// product has several pieces of content, it is the first
    /// (https://developer.apple.com/documentation/storekit/skdownload/contenturl(forproductid:)).
    open class func contentURL(forProductID productID: String) -> URL? {
        SKPaymentQueue.current.transactions.lazy.flatMap(\.downloads)
            .first { $0.shown.productIdentifier == productID && $0.contentURL != nil }?.contentURL
    }

    /// Does nothing: the content is deleted when its transaction is finished
    /// (https://developer.apple.com/documentation/storekit/skdownload/deletecontent(forproductid:)).
    open class func deleteContent(forProductID productID: String) {}

    /// The id at the daemon; nil for an object that is not a download of the store.
    var identity: UUID? { shown.identity }

    func change<Value>(_ change: (inout DownloadValues) -> Value) -> Value {
        values.withLockedValue { change(&$0) }
    }

    private var shown: DownloadValues { values.withLockedValue { $0 } }
}

/// The remaining time of a download if it cannot be estimated, -1
/// (https://developer.apple.com/documentation/storekit/skdownloadtimeremainingunknown).
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }

/// The values of a download object.
struct DownloadValues {
    /// The id at the daemon; nil for an object that is not a download of the store.
    var identity: UUID?
    var productIdentifier = ""
    var state = SKDownloadState.waiting
    var contentIdentifier = ""
    var contentVersion = ""
    var contentLength: Int64 = 0
    var contentURL: URL?
    var error: (any Error)?
    var progress: Float = 0
    var timeRemaining: TimeInterval = SKDownloadTimeRemainingUnknown
    var transaction: SKPaymentTransaction?
}

extension SKDownload {
    convenience init(_ download: Download, of transaction: SKPaymentTransaction) {
        var values = DownloadValues()
        values.identity = download.id
        values.productIdentifier = download.productID
        values.contentIdentifier = download.content.identifier
        values.contentVersion = download.content.version
        values.contentLength = download.content.length
        values.transaction = transaction
        self.init(values: values)
        _ = show(download)
    }

    /// Updates the object's values.
    ///
    /// - Returns: Whether an observer sees a difference.
    func show(_ download: Download) -> Bool {
        change { values in
            let (state, progress) = (values.state, values.progress)
            values.state = SKDownloadState(rawValue: download.state.rawValue) ?? .waiting
            values.progress = Float(download.progress)
            values.timeRemaining = download.timeRemaining.map { $0 / .seconds(1) } ?? SKDownloadTimeRemainingUnknown
            values.error = download.error.map { SKError($0) }
            values.contentURL = download.contentPath.map { URL(filePath: $0) }
            return state != values.state || progress != values.progress
        }
    }
}

extension SKError {
    /// Creates the error of a failed download; StoreKit has no specific codes for them.
    fileprivate init(_ error: DownloadError) {
        let code: SKError.Code = error.reason == .network ? .cloudServiceNetworkConnectionFailed : .unknown
        self.init(code, userInfo: [NSLocalizedDescriptionKey: error.message, SKTillErrorKey.reason: "\(error.reason)"])
    }
}
