import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import TillCrypto
import TillModel
import TillStripe

/// A file with a secret of Stripe's, which may be replaced while the daemon runs.
final class StripeSecretFile<Value: Sendable>: Sendable {
    /// What the file has, and where it is.
    struct Kind: Sendable {
        /// The contents, as the object of a sentence.
        var contents: String
        /// The key of the configuration that names the file.
        var option: String
        /// The name among the service manager's credentials.
        var credential: String
        /// The maximum length of the file, in bytes.
        var lengthMaximum: Int
        var read: @Sendable (Secret) throws(TillError) -> Value
    }

    /// What tells one version of a file from the next.
    private struct Version: Hashable {
        var inode: ino_t
        var seconds: Int
        var nanoseconds: Int
        var size: Int
    }

    private let kind: Kind
    private let path: String
    private let keeper: SecretFile.Keeper
    private let logger: Logger
    private let read: NIOLockedValueBox<Version?>

    /// - Parameters:
    ///   - path: The configured file; nil for the service manager's credential.
    ///   - credentials: The service manager's directory; nil without one.
    /// - Throws: `invalidArgument` if no file is named and the service manager has no credentials.
    init(_ kind: Kind, path: String?, credentials: String?, logger: Logger) throws(TillError) {
        if let path {
            self.path = path
            keeper = .owner
        } else if let credentials {
            self.path = "\(credentials)/\(kind.credential)"
            keeper = .serviceManager
        } else {
            throw TillError(
                .invalidArgument,
                "\(kind.option) is missing: name a file with \(kind.contents), which only the daemon's user can read."
            )
        }
        self.kind = kind
        self.logger = logger
        read = NIOLockedValueBox(nil)
    }

    /// Reads the secret.
    ///
    /// - Throws: An error that names the file and what to do.
    func value() throws(TillError) -> Value {
        let version = version
        guard let secret = try SecretFile.read(path, keptBy: keeper, atMost: kind.lengthMaximum) else {
            throw TillError(.notFound, "There is no file \(path): put \(kind.contents) there.")
        }
        do {
            let value = try kind.read(secret)
            read.withLockedValue { $0 = version }
            return value
        } catch {
            throw TillError(error.code, "\(path): \(error.message)")
        }
    }

    /// Reads the secret if the file is another than the one that was read; nil otherwise, and if it cannot be read.
    func changedValue() -> Value? {
        guard let version, version != read.withLockedValue(\.self) else {
            return nil
        }
        do {
            return try value()
        } catch {
            // Once for each version of the file.
            read.withLockedValue { $0 = version }
            logger.error("A new secret of Stripe cannot be used: \(error.message)")
            return nil
        }
    }

    private var version: Version? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return nil
        }
        return Version(
            inode: status.st_ino,
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec,
            size: Int(status.st_size)
        )
    }
}

extension StripeSecretFile<StripeKey> {
    convenience init(key options: StripeOptions, credentials: String?, logger: Logger) throws(TillError) {
        let kind = Kind(
            contents: "Stripe's secret key",
            option: "stripe.key-file",
            credential: StripeOptions.credentialName,
            // One byte more than a key, for the newline.
            lengthMaximum: StripeKey.lengthMaximum + 1,
            read: { (secret) throws(TillError) in try StripeKey(secret) }
        )
        try self.init(kind, path: options.keyFile, credentials: credentials, logger: logger)
    }
}

extension StripeSecretFile<WebhookSecrets> {
    convenience init(webhooks options: StripeOptions, credentials: String?, logger: Logger) throws(TillError) {
        let kind = Kind(
            contents: "the webhook endpoint's signing secrets",
            option: "stripe.webhook-secrets-file",
            credential: StripeOptions.webhookCredentialName,
            lengthMaximum: WebhookSecrets.fileMaximum,
            read: { (secret) throws(TillError) in try WebhookSecrets(secret) }
        )
        try self.init(kind, path: options.webhookSecretsFile, credentials: credentials, logger: logger)
    }
}
