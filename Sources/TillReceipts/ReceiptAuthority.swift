import Dispatch
package import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
import TillCrypto
package import TillEngine
package import TillModel

/// Signs receipts as the App Store does, with its own certificate chain or an operator's.
///
/// Its directory contains `root.pem`, `intermediate.pem` and `leaf.pem`, each with a certificate followed by its
/// private key. In an empty directory the files are created. An operator may provide the files instead: only the leaf's
/// key is required; without the intermediate's key, leaves are not replaced. Verifiers that trust the root trust all
/// leaves, so receipts stay verifiable when leaves are replaced.
package final class ReceiptAuthority: ReceiptSigner {
    package let rootCertificate: [UInt8]
    private let environment: ReceiptEnvironment
    private let appAppleID: Int64?
    private let chain: ReceiptChain
    private let directory: AuthorityDirectory?
    private let logger: Logger
    private let leaves: NIOLockedValueBox<LeafCase>

    /// Opens or creates the directory at `path` and creates missing certificates. Blocks on disk access.
    ///
    /// - Parameters:
    ///   - credentials: The service's credentials directory, if it has one. A chain in it replaces the directory's
    ///     chain; leaves that are issued from it are not stored.
    ///   - appAppleID: The App Store's id of the application, which receipts in Apple's production environment contain.
    ///   - date: The date by the store's clock, which receipts use.
    /// - Throws: `failedPrecondition` that names the file and says what to do.
    package convenience init(
        directory path: String,
        credentials: String? = nil,
        environment: ReceiptEnvironment,
        appAppleID: Int64? = nil,
        date: Date,
        logger: Logger
    ) throws(TillError) {
        let given = credentials.flatMap(AuthorityDirectory.init(credentials:))
        let directory = if let given { given } else { try AuthorityDirectory(path: path) }
        let (chain, leaf) = try directory.load(at: date)
        try self.init(chain, leaf, given == nil ? directory : nil, environment, appAppleID: appAppleID, logger: logger)
        if !chain.canIssue {
            // Logs immediately if no receipt can be signed.
            _ = try? self.leaf(at: date)
        }
    }

    /// Creates an authority that is not stored, for tests and for stores that live as long as the process.
    package convenience init(
        environment: ReceiptEnvironment,
        appAppleID: Int64? = nil,
        date: Date,
        logger: Logger
    ) throws(TillError) {
        let chain: ReceiptChain
        let leaf: KeyedCertificate
        do {
            let root = try ReceiptChain.makeRoot(at: date)
            chain = ReceiptChain(root: root, intermediate: try ReceiptChain.makeIntermediate(at: date, root: root))
            leaf = try chain.makeLeaf(at: date)
        } catch {
            throw TillError(.internal, "The certificates for receipts cannot be created.", cause: error)
        }
        try self.init(chain, leaf, nil, environment, appAppleID: appAppleID, logger: logger)
    }

    private init(
        _ chain: ReceiptChain,
        _ leaf: KeyedCertificate,
        _ directory: AuthorityDirectory?,
        _ environment: ReceiptEnvironment,
        appAppleID: Int64?,
        logger: Logger
    ) throws(TillError) {
        do {
            guard let leaf = try SigningLeaf(leaf, chain: chain) else {
                throw TillError(.failedPrecondition, "The certificate that signs receipts is never valid.")
            }
            leaves = NIOLockedValueBox(LeafCase(leaf))
            rootCertificate = chain.root.certificate.der
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.internal, "The certificates for receipts cannot be written.", cause: error)
        }
        self.chain = chain
        self.directory = directory
        self.environment = environment
        self.appAppleID = appAppleID
        self.logger = logger
    }

    /// Reads the root certificate in the directory at `path`, in DER; nil if the directory has none. It creates no
    /// files, so the authority need not be running.
    ///
    /// - Throws: `failedPrecondition` that names the file and the problem.
    package static func rootCertificate(inDirectory path: String) throws(TillError) -> [UInt8]? {
        try AuthorityDirectory(existing: path).read(.root)?.certificate.der
    }

    /// When the certificate that signs now ends, by the store's clock.
    package var signingCertificateEnd: Date {
        leaves.withLockedValue(\.newest.validity.upperBound)
    }

    /// The files of the chain with their keys, by name, for a backup.
    ///
    /// - Throws: `failedPrecondition` if the service manager keeps them.
    package func keyFiles() throws(TillError) -> [(name: String, bytes: [UInt8])] {
        guard let directory else {
            throw TillError(
                .failedPrecondition,
                """
                The keys that sign receipts are the service manager's credentials, which a backup cannot include: keep \
                their files yourself, and take a backup without keys.
                """
            )
        }
        return try directory.files()
    }

    package func sign(_ facts: ReceiptFacts) throws -> SignedReceipt {
        let payload = TransactionPayload(facts, environment: environment)
        return try leaf(at: facts.date).sign(payload.json)
    }

    package func sign(_ facts: RenewalFacts) throws -> SignedReceipt {
        try leaf(at: facts.date).sign(RenewalPayload(facts, environment: environment).json)
    }

    package func sign(_ facts: [ReceiptFacts]) -> [Result<SignedReceipt, any Error>] {
        facts.mapOnAllProcessors { facts in Result { try self.sign(facts) } }
    }

    package func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt {
        let payload = ApplicationPayload(facts, environment: environment, appAppleID: appAppleID)
        let purchases = facts.receipts.compactMap(\.payload)
        if purchases.count < facts.receipts.count {
            logger.error(
                "Unreadable receipts are omitted from an application's receipt.",
                metadata: ["receipts.unreadable": "\(facts.receipts.count - purchases.count)"]
            )
        }
        return try leaf(at: facts.date).sign(Array(payload.encoded(purchases: purchases)))
    }

    /// Replaces the leaf early: from now on a new key signs.
    ///
    /// - Throws: `failedPrecondition` if the intermediate's key is not available, or the authorities are not valid at
    ///   the date.
    package func rotateLeaf(at date: Date) throws(TillError) {
        let outcome = leaves.withLockedValue { leaves in
            Result { () throws(TillError) in try issueLeaf(at: date, &leaves) }
        }
        guard try outcome.get() != nil else {
            throw TillError(
                .failedPrecondition,
                """
                The leaf cannot be replaced: its intermediate has no private key here, or is not valid now. Put \
                another chain in the directory of the receipts' certificates.
                """
            )
        }
    }
}

extension ReceiptAuthority {
    /// - Throws: `unavailable` if no certificate is valid at the date, because the receipt would not be accepted.
    private func leaf(at date: Date) throws(TillError) -> SigningLeaf {
        guard let leaf = leaves.withLockedValue({ readyLeaf(at: date, &$0) }) else {
            throw TillError(
                .unavailable,
                """
                No certificate for receipts is valid at \(date.formatted(.iso8601)), so nothing is signed. Correct the \
                clock, or put a chain that is valid then into the directory of the receipts' certificates.
                """
            )
        }
        return leaf
    }

    /// The leaf that signs at the date, issued if necessary; nil if none is valid.
    private func readyLeaf(at date: Date, _ leaves: inout LeafCase) -> SigningLeaf? {
        let chainEnd = chain.validity?.upperBound ?? .distantPast
        if let leaf = leaves.fresh(at: date, chainEnd: chainEnd) {
            return leaf
        }
        do {
            if let leaf = try issueLeaf(at: date, &leaves) {
                return leaf
            }
        } catch {
            logger.error("A leaf for receipts cannot be created.", metadata: ["error": "\(error)"])
        }
        if let leaf = leaves.valid(at: date) {
            return leaf
        }
        if !leaves.hasWarned {
            leaves.hasWarned = true
            logger.error(
                """
                No certificate for receipts is valid now: purchases have no receipt until the clock is correct. \
                Then sign them with: till receipt rebuild TRANSACTION
                """,
                metadata: ["receipt.date": "\(date)", "directory": "\(directory?.path ?? "none")"]
            )
        }
        return nil
    }

    /// Issues a leaf that is valid at the date and stores it, if possible; nil if no valid leaf can be issued.
    private func issueLeaf(at date: Date, _ leaves: inout LeafCase) throws(TillError) -> SigningLeaf? {
        guard chain.canIssue, chain.validity?.contains(date) == true else {
            return nil
        }
        let keyed: KeyedCertificate
        let leaf: SigningLeaf?
        do {
            keyed = try chain.makeLeaf(at: date)
            leaf = try SigningLeaf(keyed, chain: chain)
        } catch {
            throw TillError(.internal, "A leaf for receipts cannot be created.", cause: error)
        }
        guard let leaf else {
            return nil
        }
        keep(keyed)
        leaves.add(leaf)
        return leaf
    }

    private func keep(_ leaf: KeyedCertificate) {
        do {
            try directory?.write(leaf, as: .leaf)
        } catch {
            logger.error(
                "The new leaf for receipts cannot be stored; the next start creates another one.",
                metadata: ["error": "\(error)"]
            )
        }
    }
}

extension Array where Element: Sendable {
    /// The number of elements per work item. A signature takes about 25 microseconds, so this many justify waking a
    /// thread.
    private static var share: Int { 8 }

    /// Transforms the elements in parallel on all processors, and returns the results in order.
    func mapOnAllProcessors<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
        guard count > Self.share else {
            return map(transform)
        }
        let starts = Swift.Array(stride(from: 0, to: count, by: Self.share))
        let parts = NIOLockedValueBox([[Value]](repeating: [], count: starts.count))
        DispatchQueue.concurrentPerform(iterations: starts.count) { number in
            let part = self[starts[number]...].prefix(Self.share).map(transform)
            parts.withLockedValue { $0[number] = part }
        }
        return parts.withLockedValue { Swift.Array($0.joined()) }
    }
}
