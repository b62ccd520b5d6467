import FoundationEssentials
import TillModel
import TillSecrets
import X509

extension AuthorityDirectory {
    /// The chain in the files and its leaf. What is missing is made if the key of who issues it is there: a crash while
    /// they were made first leaves no more than that.
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
                throw TillError(.failedPrecondition, "\(path(of: .leaf)) holds no private key; append it in PEM.")
            }
            return (chain, leaf)
        }
        guard chain.canIssue else {
            throw missing(.leaf, issuer: .intermediate)
        }
        return (chain, try make(.leaf) { try chain.makeLeaf(at: date) })
    }

    /// What the service manager hands over is not completed: it is not ours to write there.
    private func checkCredentials(_ found: [CertificateRole: KeyedCertificate?]) throws(TillError) {
        for role in CertificateRole.allCases where found[role]?.map({ _ in true }) == nil {
            throw TillError(
                .failedPrecondition,
                """
                The credential \(role.credentialName) is missing beside others of the chain; add LoadCredential= for \
                it to the service, or leave out all of them.
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
                "\(path(of: .root)) is missing; restore it, or move all of \(path) away to start anew."
            )
        }
        if intermediate == nil, leaf != nil {
            throw TillError(
                .failedPrecondition,
                "\(path(of: .intermediate)) is missing; restore it, or move all of \(path) away to start anew."
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
            throw TillError(.internal, "The certificate \(path(of: role)) cannot be made.", cause: error)
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
            The certificate in \(path(of: role)) \(fault); put back the files that belong together, or move all of \
            \(path) away to start anew.
            """
        )
    }

    private func missing(_ role: CertificateRole, issuer: CertificateRole) -> TillError {
        TillError(
            .failedPrecondition,
            """
            \(path(of: role)) is missing, and \(path(of: issuer)) has no private key to make it with; add the file, or \
            move all of \(path) away to start anew.
            """
        )
    }
}
