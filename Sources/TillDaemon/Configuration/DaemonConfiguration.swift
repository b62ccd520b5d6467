import Glibc
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
    /// Who may do what, by the process's own user.
    package var policy: AccessPolicy
    /// Where hosted content is kept for the accounts; nil for a directory within ``stateDirectory``, which serves no other
    /// users than the daemon's own.
    package var contentDirectory: String?
    /// Where the service manager put secrets for the daemon ($CREDENTIALS_DIRECTORY, systemd.exec(5)), if it did.
    package var credentialsDirectory: String?
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

    package init(catalogueFiles: [String], stateDirectory: String, socketPath: String) {
        self.catalogueFiles = catalogueFiles
        self.stateDirectory = stateDirectory
        self.socketPath = socketPath
        policy = AccessPolicy(own: geteuid())
    }
}
