import Glibc
package import TTRPC
import TillConsole
package import TillDownloads
package import TillEngine
package import TillModel
package import TillPostgres
package import TillProviders
package import TillService
import TillStripe

/// The daemon's configuration, with its defaults.
package struct DaemonConfiguration: Sendable {
    /// The `.storekit` files with the products, at least one.
    package var catalogueFiles: [String]
    /// The directory of the ledger and the provider's record.
    package var stateDirectory: String
    /// The database that has the ledger; nil for a file in ``stateDirectory``.
    package var ledgerAddress: PostgresAddress?
    /// This host's name among those that share the ledger; nil if no other daemon uses it.
    package var host: String?
    /// What is configured: the texts of each key that has some, by its name.
    package var texts: [String: [String]] = [:]
    /// Whose accounts the user ids of this host stand for.
    package var hostUsers = HostUsers.separate
    /// The Unix domain socket to serve.
    package var socketPath: String
    /// The access rules; by default, only the daemon's own user has access.
    package var policy: AccessPolicy
    /// The directory of hosted content; nil for a directory within ``stateDirectory``, which only the daemon's own user
    /// can read.
    package var contentDirectory: String?
    /// The service manager's directory of secrets ($CREDENTIALS_DIRECTORY, systemd.exec(5)); nil without one.
    package var credentialsDirectory: String?
    /// The limits of downloads. The daemon sets the directory and the logger when it starts.
    package var downloads = DownloaderConfiguration(directory: "")
    /// The store environment in receipts.
    package var receiptEnvironment = ReceiptEnvironment.sandbox
    /// The application's id in the App Store, for its receipts; nil for the catalogue's.
    package var receiptAppID: Int64?
    package var engine = EngineConfiguration()
    package var provider = ProviderKind.simulated
    package var stripe = StripeOptions()
    package var faults = SimulatedFaults()
    package var limits = TTRPCServer.Limits()
    /// Where to serve the operator page; nil to serve none.
    package var consoleAddress: LocalAddress?
    /// How long active calls may take when the daemon stops.
    package var shutdownGrace = Duration.seconds(10)

    package init(catalogueFiles: [String], stateDirectory: String, socketPath: String) {
        self.catalogueFiles = catalogueFiles
        self.stateDirectory = stateDirectory
        self.socketPath = socketPath
        policy = AccessPolicy(own: geteuid())
    }

    /// Where the ledger is, and what to name for another ledger, for people.
    var ledgerPlace: (place: String, remedy: String) {
        ledgerAddress.map { ($0.text, "database") } ?? (stateDirectory, "state directory")
    }

    /// The request rate limit of each user; nil for no limit. A user may send the requests of two seconds at once.
    var requestsPerSecond: Int? {
        get { limits.requestRate.map { Int($0.perSecond) } }
        set {
            limits.requestRate = newValue.map {
                TTRPCServer.RequestRate(perSecond: Double($0), burst: 2 * Double($0))
            }
        }
    }
}

/// Whose accounts user ids stand for if several hosts share a ledger.
package enum HostUsers: String, CaseIterable, Sendable {
    /// The users of different hosts are different people, whatever their ids.
    case separate
    /// A user id is the same person on every host.
    case same
}

/// The number of files that the daemon may have open at the same time.
extension DaemonConfiguration {
    /// The files of an active download: its socket, its partial file and its directory.
    static let filesOfDownload = 3
    /// The files of the ledger: its file and log, for each of the writer, the checkpointer, four readers and the check at the
    /// start; and the shared index of the log.
    static let filesOfLedger = 2 * 7 + 1
    /// The files of the one backup that is taken at a time: SQLite's and the daemon's descriptor of the copy, and the record.
    static let filesOfBackup = 3
    /// The files of the process: standard input, output and error; the listening socket; the locks of the state, the socket
    /// and the content; three directories of the content; the provider's record; and Dispatch's selector, waker and timers.
    static let filesOfProcess = 3 + 1 + 3 + 3 + 1 + 6
    /// Files that are open briefly: certificates, files in `/proc`, directories that are flushed.
    static let filesTransient = 32

    /// The files of the webhook listener: its socket, that socket's lock, and its connections.
    private var filesOfWebhooks: Int {
        stripe.webhookAddress == nil ? 0 : 2 + WebhookListener.Limits().connectionsMaximum
    }

    /// The files of the operator page: its socket, that socket's lock, and its connections.
    private var filesOfConsole: Int {
        consoleAddress == nil ? 0 : 2 + ConsoleListener.connectionsMaximum
    }

    /// The minimum limit of open files with which clients cannot exhaust the daemon's descriptors.
    var openFilesNeeded: Int {
        limits.descriptorsMaximum + downloads.concurrentMaximum * Self.filesOfDownload + Self.filesOfLedger
            + Self.filesOfBackup + Self.filesOfProcess + Self.filesTransient + filesOfWebhooks + filesOfConsole
    }
}
