import FoundationEssentials
import Logging
import TillModel

/// The parts of the engine that decide, within commits and reads, without waiting for anything.
///
/// Each works only with parts that stand before it here, so that their dependencies have no cycle:
///
///     catalogue, downloads
///     receipts       catalogue
///     completion     receipts, downloads
///     restoring      completion
///     refunding      receipts
///     subscriptions  catalogue, receipts, refunding
///     entitlements   subscriptions
///     purchasing     catalogue, completion, subscriptions, refunding
///     renewing       catalogue, completion, refunding, purchasing
///     resolving      purchasing
struct EngineParts: Sendable {
    let catalogue: StoreCatalogue
    let downloads: Downloads
    let receipts: Receipts
    let restoring: Restoring
    let refunding: Refunding
    let subscriptions: Subscriptions
    let entitlements: Entitlements
    let purchasing: Purchasing
    let renewing: Renewing
    let resolving: Resolving

    init(
        catalogue: StoreCatalogue,
        signer: (any ReceiptSigner)?,
        downloads: Downloads,
        agents: AgentRegistry,
        payerDeadline: Duration?,
        numbering: LedgerNumbering,
        configuration: EngineConfiguration,
        logger: Logger,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.catalogue = catalogue
        self.downloads = downloads
        receipts = Receipts(signer: signer, catalogue: catalogue, numbering: numbering, logger: logger)
        let completion = Completion(receipts: receipts, downloads: downloads)
        restoring = Restoring(completion: completion, deadline: configuration.restoreDeadline, makeID: makeID)
        refunding = Refunding(receipts: receipts, makeID: makeID)
        subscriptions = Subscriptions(catalogue: catalogue, receipts: receipts, refunding: refunding)
        entitlements = Entitlements(subscriptions: subscriptions, numbering: numbering)
        purchasing = Purchasing(
            catalogue: catalogue,
            completion: completion,
            subscriptions: subscriptions,
            refunding: refunding,
            agents: agents,
            payerDeadline: payerDeadline,
            configuration: configuration
        )
        renewing = Renewing(
            catalogue: catalogue,
            completion: completion,
            refunding: refunding,
            purchasing: purchasing,
            makeID: makeID
        )
        resolving = Resolving(purchasing: purchasing, makeID: makeID)
    }
}
