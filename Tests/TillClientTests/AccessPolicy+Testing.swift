import Foundation
import TillService

extension AccessPolicy {
    /// A policy of another user's daemon.
    static var nobody: AccessPolicy {
        AccessPolicy(own: geteuid() + 1)
    }
}
