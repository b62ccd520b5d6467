import CStoreKit
import Foundation
import TillModel

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
