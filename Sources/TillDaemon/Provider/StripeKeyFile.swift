import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import TillCrypto
import TillModel
import TillStripe

/// The file of Stripe's key, which may be replaced while the daemon runs.
final class StripeKeyFile: Sendable {
    /// What tells one version of a file from the next.
    private struct Version: Hashable {
        var inode: ino_t
        var seconds: Int
        var nanoseconds: Int
        var size: Int
    }

    private let path: String
    private let keeper: SecretFile.Keeper
    private let logger: Logger
    private let read: NIOLockedValueBox<Version?>

    /// - Throws: `invalidArgument` if no file is named and the service manager has no credential.
    init(_ options: StripeOptions, credentials: String?, logger: Logger) throws(TillError) {
        if let path = options.keyFile {
            self.path = path
            keeper = .owner
        } else if let credentials {
            path = "\(credentials)/\(StripeOptions.credentialName)"
            keeper = .serviceManager
        } else {
            throw TillError(
                .invalidArgument,
                "stripe.key-file is missing: name a file with a secret key, which only the daemon's user can read."
            )
        }
        self.logger = logger
        read = NIOLockedValueBox(nil)
    }

    /// Reads the key.
    ///
    /// - Throws: An error that names the file and what to do.
    func key() throws(TillError) -> StripeKey {
        let version = version
        // One byte more than a key, for the newline.
        guard let secret = try SecretFile.read(path, keptBy: keeper, atMost: StripeKey.lengthMaximum + 1) else {
            throw TillError(.notFound, "There is no file \(path): put Stripe's secret key there.")
        }
        do {
            let key = try StripeKey(secret)
            read.withLockedValue { $0 = version }
            return key
        } catch {
            throw TillError(error.code, "\(path): \(error.message)")
        }
    }

    /// Reads the key if the file is another than the one that was read; nil otherwise, and if it cannot be read.
    func changedKey() -> StripeKey? {
        guard let version, version != read.withLockedValue(\.self) else {
            return nil
        }
        do {
            return try key()
        } catch {
            // Once for each version of the file.
            read.withLockedValue { $0 = version }
            logger.error("Stripe's new key cannot be used: \(error.message)")
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
