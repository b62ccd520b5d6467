package import TTRPC
package import TillEngine
package import TillModel
package import TillProviders
package import TillService

/// Everything that an operator may set, with its defaults.
package struct DaemonConfiguration: Sendable {
    /// The products: at least one `.storekit` file.
    package var catalogueFiles: [String]
    /// Where the ledger and the provider's record are kept.
    package var stateDirectory: String
    /// The Unix domain socket to serve.
    package var socketPath: String
    /// Users besides the daemon's own who may use it.
    package var users = AccessPolicy.Users.none
    /// Users besides the daemon's own who may inspect and change everything.
    package var operators: Set<UInt32> = []
    /// Users besides those who answer for buyers: Ask to Buy.
    package var approvers: Set<UInt32> = []
    /// Where hosted content is kept for the accounts; nil for a directory within ``stateDirectory``, which serves no other
    /// users than the daemon's own.
    package var contentDirectory: String?
    /// Bytes a second of all downloads together; nil for no limit.
    package var contentBandwidth: Int64?
    /// Downloads that have a connection at once.
    package var contentConnections = 4
    /// How receipts name the store.
    package var receiptEnvironment = ReceiptEnvironment.sandbox
    /// The App Store's number of the application, for receipts of its production.
    package var receiptAppID: Int64?
    package var engine = EngineConfiguration()
    package var faults = SimulatedFaults()
    package var limits = TTRPCServer.Limits()
    /// How long calls under way may take when the daemon stops.
    package var shutdownGrace = Duration.seconds(10)

    /// Whether anybody but the daemon's own user may use it.
    var isOpenToOthers: Bool {
        users != .none || !operators.isEmpty || !approvers.isEmpty
    }

    package init(catalogueFiles: [String], stateDirectory: String, socketPath: String) {
        self.catalogueFiles = catalogueFiles
        self.stateDirectory = stateDirectory
        self.socketPath = socketPath
    }
}
