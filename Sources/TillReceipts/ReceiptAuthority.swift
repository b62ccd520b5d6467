package import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// Signs receipts as the App Store does, with a certificate chain of its own or an operator's.
///
/// Its directory holds `root.pem`, `intermediate.pem` and `leaf.pem`: a certificate each, with its private key behind it.
/// An empty directory is filled. An operator may put files there instead: only the leaf's key is needed, and without the
/// intermediate's, leaves are not replaced. Whoever has the root trusts all leaves, so that receipts stay verifiable when
/// leaves are replaced.
package final class ReceiptAuthority: ReceiptSigner {
    package let rootCertificate: [UInt8]
    private let environment: ReceiptEnvironment
    private let appAppleID: Int64?
    private let chain: ReceiptChain
    private let directory: AuthorityDirectory?
    private let logger: Logger
    private let leaves: NIOLockedValueBox<LeafCase>

    /// Opens the directory at `path`, or makes it, and what is missing in it. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - credentials: The directory of the service's credentials, if it has one; a chain in it stands in place of the
    ///     directory's, and what is made of it is not kept.
    ///   - appAppleID: The App Store's number of the application, which its receipt names in Apple's production.
    ///   - date: By the store's clock, which receipts are signed by.
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
            // Says at once, if it is so, that nothing can be signed.
            _ = try? self.leaf(at: date)
        }
    }

    /// An authority of its own that nothing is kept of: for tests, and for stores that live as long as the process.
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
            throw TillError(.internal, "The certificates for receipts cannot be made.", cause: error)
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
            rootCertificate = try chain.root.certificate.derBytes
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

    /// The root certificate in the directory at `path`, in DER, of an authority that is not at work; nil when the directory
    /// has none. Makes nothing.
    ///
    /// - Throws: `failedPrecondition` that names the file and says what is wrong with it.
    package static func rootCertificate(inDirectory path: String) throws(TillError) -> [UInt8]? {
        guard let root = try AuthorityDirectory(existing: path).read(.root) else {
            return nil
        }
        do {
            return try root.certificate.derBytes
        } catch {
            throw TillError(.internal, "The root certificate in \(path) cannot be written.", cause: error)
        }
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
                "Receipts that cannot be read are left out of an application's receipt.",
                metadata: ["receipts.unreadable": "\(facts.receipts.count - purchases.count)"]
            )
        }
        return try leaf(at: facts.date).sign(Array(payload.encoded(purchases: purchases)))
    }

    /// Replaces the leaf before it has to be: a new key signs from now on.
    ///
    /// - Throws: `failedPrecondition` when the intermediate's key is not at hand, or the authorities are not valid at
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
    /// - Throws: `unavailable` where no certificate is valid at the date: nobody would accept what it signs.
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

    /// The leaf that signs at the date: a new one if need be; nil if none is valid.
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
            logger.error("A leaf for receipts cannot be made.", metadata: ["error": "\(error)"])
        }
        if let leaf = leaves.valid(at: date) {
            return leaf
        }
        if !leaves.hasWarned {
            leaves.hasWarned = true
            logger.error(
                """
                No certificate for receipts is valid now: purchases stay without a receipt until the clock is right. \
                Then sign them with: till receipt rebuild TRANSACTION
                """,
                metadata: ["receipt.date": "\(date)", "directory": "\(directory?.path ?? "none")"]
            )
        }
        return nil
    }

    /// A new leaf that is valid at the date, kept in the file if that can be written; nil when there can be none.
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
            throw TillError(.internal, "A leaf for receipts cannot be made.", cause: error)
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
                "The new leaf for receipts cannot be kept; the next start makes another one.",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
