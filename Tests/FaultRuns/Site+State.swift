import Foundation
import Glibc
package import ProcessTesting
package import TillClient

extension Site {
    package static let application = "org.example.alpha"

    /// Makes a site for `body` with a catalogue of what these tests buy.
    package static func with<Value>(_ body: (Site) async throws -> Value) async throws -> Value {
        try await with(catalogue: TestStore.catalogue(), body)
    }

    /// The queue of an application of this process.
    package func queue(_ application: String = Site.application, callTimeout: Duration = .seconds(30)) -> PaymentQueue {
        var configuration = ClientConfiguration(application: application, socketPath: socket)
        configuration.callTimeout = callTimeout
        return PaymentQueue(configuration)
    }

    /// Makes the state directory with this mode, whatever the umask.
    package func makeState(mode: Int, at path: String? = nil) throws {
        let path = path ?? state
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Leaves a ledger with one payment behind, as a daemon does that was stopped well.
    package func makeLedger() async throws {
        let daemon = try await startServingDaemon()
        let queue = queue()
        _ = try await queue.purchase(Payment(productID: TestStore.coins))
        await queue.close()
        daemon.signal(SIGTERM)
        _ = await daemon.exit()
    }
}
