import FoundationEssentials

/// The provider whose charges a ledger has: another one would not know them.
package struct ProviderIdentity: Hashable, Sendable {
    /// The provider's name, such as `stripe`.
    package var name: String
    /// What the provider separates, such as its test mode from its live mode; empty without any.
    package var mode: String
    /// The merchant's account; nil while it is not known, and empty without any.
    package var account: String?

    package init(name: String, mode: String = "", account: String? = "") {
        self.name = name
        self.mode = mode
        self.account = account
    }

    package static let simulated = ProviderIdentity(name: "simulated")

    /// In words, for people.
    package var text: String {
        let details = [mode.isEmpty ? nil : "\(mode) mode", account.flatMap { $0.isEmpty ? nil : "account \($0)" }]
        let list = details.compactMap(\.self).joined(separator: ", ")
        return list.isEmpty ? "the provider \(name)" : "the provider \(name) (\(list))"
    }
}

/// Whether a ledger may be used with a provider.
package enum ProviderBinding: Hashable, Sendable {
    /// It belongs to this one.
    case agrees(with: ProviderIdentity)
    /// The ledger has no charges yet: it belongs to the provider from now on.
    case bind
    /// It belongs to another provider.
    case belongs(to: ProviderIdentity)
    /// It has no charges yet, and the provider's account is not known.
    case needsAccount

    /// The name of the ledger's setting that keeps the provider.
    static let settingName = "provider"

    package static func decide(
        stored: ProviderIdentity?,
        hasCharges: Bool,
        own: ProviderIdentity
    ) -> ProviderBinding {
        // The simulated provider was the only one before ledgers kept the provider.
        guard let stored = stored ?? (hasCharges ? .simulated : nil) else {
            return own == .simulated ? .agrees(with: own) : own.account == nil ? .needsAccount : .bind
        }
        guard stored.name == own.name, stored.mode == own.mode, own.account == nil || stored.account == own.account
        else {
            return .belongs(to: stored)
        }
        return .agrees(with: stored)
    }

    /// The provider that the ledger keeps; nil for the simulated one, and for none yet.
    package static func owner(of ledger: any Ledger) async throws -> ProviderIdentity? {
        try await ledger.read { try $0.settings()[settingName] }.map(ProviderIdentity.init(stored:))
    }

    /// Decides about a ledger that no engine uses, and stores the provider in a new one.
    ///
    /// - Throws: The ledger's error.
    package static func bind(_ ledger: any Ledger, to own: ProviderIdentity) async throws -> ProviderBinding {
        let hasCharges = try await ledger.read { try !$0.charges(afterKey: 0, limit: 1).isEmpty }
        let binding = decide(stored: try await owner(of: ledger), hasCharges: hasCharges, own: own)
        if binding == .bind {
            try await ledger.commit { try $0.setSetting(settingName, to: own.stored) }
        }
        return binding
    }
}

extension ProviderIdentity {
    fileprivate init(stored text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        self.init(
            name: parts[0],
            mode: parts.count > 1 ? parts[1] : "",
            account: parts.count > 2 ? parts[2] : ""
        )
    }

    /// As the ledger keeps it.
    fileprivate var stored: String {
        "\(name):\(mode):\(account ?? "")"
    }
}
