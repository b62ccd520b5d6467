import Foundation
import Glibc
package import ProcessTesting
package import TillClient

extension Site {
    package static let application = "org.example.alpha"

    /// Makes a site for `body` with a catalogue of the products of these tests.
    package static func with<Value>(_ body: (Site) async throws -> Value) async throws -> Value {
        try await with(catalogue: TestStore.catalogue(), body)
    }

    /// The queue of an application in this process.
    package func queue(_ application: String = Site.application, callTimeout: Duration = .seconds(30)) -> PaymentQueue {
        var configuration = ClientConfiguration(application: application, socketPath: socket)
        configuration.callTimeout = callTimeout
        return PaymentQueue(configuration)
    }

    /// Creates the state directory with this mode, regardless of the umask.
    package func makeState(mode: Int, at path: String? = nil) throws {
        let path = path ?? state
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Creates a ledger with one payment, as a daemon leaves it after an ordinary stop.
    package func makeLedger() async throws {
        let daemon = try await startServingDaemon()
        let queue = queue()
        _ = try await queue.purchase(Payment(productID: TestStore.coins))
        await queue.close()
        daemon.signal(SIGTERM)
        _ = await daemon.exit()
    }
}
