import NIOConcurrencyHelpers
import StoreKit
import TillClient

/// The sessions of the process, in the order in which they were created. `SKPaymentQueue` follows the last of those that
/// there are, and goes back to the daemon when there is none.
enum FollowedSessions {
    private static let servers = NIOLockedValueBox<[SessionServer]>([])

    static func begin(_ server: SessionServer) {
        servers.withLockedValue { servers in
            servers.append(server)
            follow(servers.last)
        }
    }

    static func end(_ server: SessionServer) {
        servers.withLockedValue { servers in
            let wasLast = servers.last === server
            servers.removeAll { $0 === server }
            if wasLast {
                follow(servers.last)
            }
        }
    }

    /// Called with the lock held, so that queues follow in the order in which sessions come and go.
    private static func follow(_ server: SessionServer?) {
        if let server {
            SKPaymentQueue.process.connection?.connect(server.configuration, receiptPath: server.receiptPath)
        } else {
            SKPaymentQueue.connect()
        }
    }
}
