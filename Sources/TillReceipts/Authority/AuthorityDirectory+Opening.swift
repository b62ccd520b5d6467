import FoundationEssentials
import TillCrypto
import TillModel

extension AuthorityDirectory {
    /// Loads the chain and its leaf. Creates missing certificates if their issuer's key is available, which completes a
    /// first creation that was interrupted by a crash.
    func load(at date: Date) throws(TillError) -> (chain: ReceiptChain, leaf: KeyedCertificate) {
        let root = try read(.root)
        let intermediate = try read(.intermediate)
        let leaf = try read(.leaf)
        if keeper == .serviceManager {
            try checkCredentials([.root: root, .intermediate: intermediate, .leaf: leaf])
        }
        let chain = try loadChain(root, intermediate, leaf, at: date)
        if let leaf {
            try check(leaf, as: .leaf, issuer: chain.intermediate)
            guard leaf.key != nil else {
                throw TillError(.failedPrecondition, "\(path(of: .leaf)) has no private key; append it in PEM.")
            }
            return (chain, leaf)
        }
        guard chain.canIssue else {
            throw missing(.leaf, issuer: .intermediate)
        }
        return (chain, try make(.leaf) { try chain.makeLeaf(at: date) })
    }

    /// Credentials from the service manager are never completed, because the daemon must not write there.
    private func checkCredentials(_ found: [CertificateRole: KeyedCertificate?]) throws(TillError) {
        for role in CertificateRole.allCases where found[role]?.map({ _ in true }) == nil {
            throw TillError(
                .failedPrecondition,
                """
                The credential \(role.credentialName) is missing while others of the chain exist; add LoadCredential= for \
                it to the service, or remove all of them.
                """
            )
        }
    }

    private func loadChain(
        _ root: KeyedCertificate?,
        _ intermediate: KeyedCertificate?,
        _ leaf: KeyedCertificate?,
        at date: Date
    ) throws(TillError) -> ReceiptChain {
        if root == nil, intermediate != nil || leaf != nil {
            throw TillError(
                .failedPrecondition,
                "\(path(of: .root)) is missing; restore it, or move \(path) away to create a new chain."
            )
        }
        if intermediate == nil, leaf != nil {
            throw TillError(
                .failedPrecondition,
                "\(path(of: .intermediate)) is missing; restore it, or move \(path) away to create a new chain."
            )
        }
        if let root {
            try check(root, as: .root, issuer: root)
        }
        let root = if let root { root } else { try make(.root) { try ReceiptChain.makeRoot(at: date) } }
        if let intermediate {
            try check(intermediate, as: .intermediate, issuer: root)
            return ReceiptChain(root: root, intermediate: intermediate)
        }
        guard root.key != nil else {
            throw missing(.intermediate, issuer: .root)
        }
        let made = try make(.intermediate) { try ReceiptChain.makeIntermediate(at: date, root: root) }
        return ReceiptChain(root: root, intermediate: made)
    }

    private func make(
        _ role: CertificateRole,
        _ certificate: () throws -> KeyedCertificate
    ) throws(TillError) -> KeyedCertificate {
        do {
            let made = try certificate()
            try write(made, as: role)
            return made
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.internal, "The certificate \(path(of: role)) cannot be created.", cause: error)
        }
    }

    private func check(
        _ keyed: KeyedCertificate,
        as role: CertificateRole,
        issuer: KeyedCertificate
    ) throws(TillError) {
        guard let fault = role.fault(of: keyed.certificate, issuedBy: issuer.certificate) else {
            return
        }
        throw TillError(
            .failedPrecondition,
            """
            The certificate in \(path(of: role)) \(fault); restore files that belong together, or move \
            \(path) away to create a new chain.
            """
        )
    }

    private func missing(_ role: CertificateRole, issuer: CertificateRole) -> TillError {
        TillError(
            .failedPrecondition,
            """
            \(path(of: role)) is missing, and \(path(of: issuer)) has no private key to create it; add the file, or \
            move \(path) away to create a new chain.
            """
        )
    }
}
