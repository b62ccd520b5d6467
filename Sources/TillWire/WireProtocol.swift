/// The version, limits and rules that both sides of the wire agree on beyond its messages.
package enum WireProtocol {
    /// The one version that this package speaks.
    package static let version: UInt32 = 1
    /// Transactions in a page, and events in a batch. So many fit a frame of 256 KiB, and the decoder's limit of
    /// fields, when each is as large as a payment may be.
    package static let transactionsMaximum = 64
    /// Identifiers in a request for products. So many products fit a frame of 256 KiB, and the decoder's limit of
    /// fields, when each has the longest texts and the most offers that a catalogue takes.
    package static let productsMaximum = 8
    /// Entitlements, subscriptions, authorisation requests, or an operator's transactions in a page.
    package static let pageMaximum = 32
    /// Downloads in a page, or that one request may name.
    package static let downloadsMaximum = 32
    /// Bytes in a part of an application's receipt.
    package static let receiptPartMaximumBytes = 128 << 10
    /// Bytes in a part of a backup.
    package static let backupPartMaximumBytes = 128 << 10
    /// Charges and refunds in a message of an export. So many fit a frame of 256 KiB, and the decoder's limit of fields,
    /// when each has the longest texts.
    package static let ledgerEntriesMaximum = 64
    /// Links of the audit log in an answer, when each has the longest texts.
    package static let auditLinksMaximum = 64
    /// Samples in an answer with metrics. So many fit the decoder's limit of fields when each has two labels.
    package static let metricSamplesMaximum = 400
    /// Daemons in an answer with those that share a ledger. So many fit the decoder's limit of fields.
    package static let hostsMaximum = 256
    /// The longest reason of an operator or of a person who answers a request, in bytes of UTF-8.
    package static let reasonMaximumBytes = 256
    /// The longest name of a payment method that a request may have, in bytes of UTF-8.
    package static let paymentMethodIDMaximumBytes = 255
    /// Settings that one request may change.
    package static let settingChangesMaximum = 32
}
