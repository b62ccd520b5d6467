import Configuration

/// The keys of the configuration: `--allow-users` as an option, `TILL_ALLOW_USERS` in the environment, `"allow-users"`
/// in the file; `simulated.decline` is `--simulated-decline`, `TILL_SIMULATED_DECLINE`, and `decline` within
/// `simulated`.
package enum ConfigurationKey: String, Hashable, Sendable, CaseIterable {
    case catalogue
    case state
    case socket
    case policy
    case allowUsers = "allow-users"
    case operators
    case approvers
    case denyPayments = "deny-payments"
    case setting
    case approvalDeadline = "approval-deadline"
    case authorizationDeadline = "authorization-deadline"
    case resolutionDeadline = "resolution-deadline"
    case purchasingDeadline = "purchasing-deadline"
    case restoreDeadline = "restore-deadline"
    case content
    case contentQuota = "content-quota"
    case contentBandwidth = "content-bandwidth"
    case contentConnections = "content-connections"
    case downloadDeadline = "download-deadline"
    case receiptEnvironment = "receipt-environment"
    case receiptAppID = "receipt-app-id"
    case requestsPerSecond = "requests-per-second"
    case frameMaximum = "frame-maximum"
    case simulatedDecline = "simulated.decline"
    case simulatedTimeoutBefore = "simulated.timeout-before"
    case simulatedTimeoutAfter = "simulated.timeout-after"
    case simulatedUnreachable = "simulated.unreachable"
    case simulatedSlow = "simulated.slow"
    case simulatedDelay = "simulated.delay"
    case simulatedRefuseRestore = "simulated.refuse-restore"

    var configKey: ConfigKey {
        ConfigKey(rawValue)
    }

    /// Whether the key takes several values.
    package var isList: Bool {
        switch self {
        case .catalogue, .allowUsers, .operators, .approvers, .denyPayments, .setting, .simulatedDecline,
            .simulatedTimeoutBefore,
            .simulatedTimeoutAfter, .simulatedUnreachable, .simulatedSlow, .simulatedRefuseRestore:
            true
        case .state, .socket, .policy, .approvalDeadline, .authorizationDeadline, .resolutionDeadline,
            .purchasingDeadline,
            .restoreDeadline, .content, .contentQuota, .contentBandwidth, .contentConnections, .downloadDeadline,
            .receiptEnvironment, .receiptAppID, .requestsPerSecond, .frameMaximum, .simulatedDelay:
            false
        }
    }
}
