import CStoreKit
import Foundation
import TillModel

extension SKDownload {
    convenience init(_ download: Download, of transaction: SKPaymentTransaction) {
        var fields = DownloadFields()
        fields.identity = download.id
        fields.productIdentifier = download.productID
        fields.contentIdentifier = download.content.identifier
        fields.contentVersion = download.content.version
        fields.contentLength = download.content.length
        fields.transaction = transaction
        self.init(fields: fields)
        _ = show(download)
    }

    /// Looks like that from now on.
    ///
    /// - Returns: Whether that is a difference to an observer.
    func show(_ download: Download) -> Bool {
        change { fields in
            let (state, progress) = (fields.state, fields.progress)
            fields.state = SKDownloadState(rawValue: download.state.rawValue) ?? .waiting
            fields.progress = Float(download.progress)
            fields.timeRemaining = download.timeRemaining.map { $0 / .seconds(1) } ?? SKDownloadTimeRemainingUnknown
            fields.error = download.error.map { SKError($0) }
            fields.contentURL = download.contentPath.map { URL(filePath: $0) }
            return state != fields.state || progress != fields.progress
        }
    }
}

extension SKError {
    /// The error of a download; StoreKit has no codes of its own for them.
    fileprivate init(_ error: DownloadError) {
        let code: SKError.Code = error.reason == .network ? .cloudServiceNetworkConnectionFailed : .unknown
        self.init(code, userInfo: [NSLocalizedDescriptionKey: error.message, SKTillErrorKey.reason: "\(error.reason)"])
    }
}
