import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// Applies operators' settings: the store's, the provider's, and the clock's offset.
package struct StoreControls: Sendable {
    /// The clock's offset in the ledger's table of settings, in milliseconds.
    static let offsetName = "clock-offset-ms"
    /// What the ledger's table of settings has besides settings that operators change.
    static let ownNames: Set = [
        offsetName, ProviderBinding.settingName, NewsJob.settingName, LedgerTimeline.settingName, receiptRootName,
    ]
    /// The SHA-256 of the certificate in which the receipts of all hosts end that share the ledger.
    package static let receiptRootName = "receipt-root"

    /// Whether operators change the setting, also by advancing the clock.
    package static func isOperators(_ name: String) -> Bool {
        name == offsetName || !ownNames.contains(name)
    }

    /// The store's settings in force.
    let store: NIOLockedValueBox<StoreSettings>
    /// The store's settings until an operator changes them.
    let defaults: StoreSettings
    /// Nil when the provider moves real money: settings cannot be changed then.
    let provider: (any AdjustableProvider)?
    /// Nil when the clock is the machine's.
    let clock: AdjustableTime?
    /// The ledger's table whose settings are in force; nil before the first.
    private let applied = NIOLockedValueBox<[String: String]?>(nil)

    init(defaults: StoreSettings, provider: (any AdjustableProvider)?, clock: AdjustableTime?) {
        store = NIOLockedValueBox(defaults)
        self.defaults = defaults
        self.provider = provider
        self.clock = clock
    }

    /// Applies the ledger's table of settings.
    ///
    /// - Throws: `invalidArgument` for an invalid value; then nothing has changed.
    func apply(_ table: [String: String]) throws(TillError) {
        let offset = try Self.offset(in: table)
        if let provider {
            let settings = try storeSettings(in: table)
            let names = provider.settings.map(\.name)
            for name in names {
                if let value = table[name] {
                    try provider.checkSetting(name, value)
                }
            }
            for name in names {
                try provider.changeSetting(name, to: table[name])
            }
            store.withLockedValue { $0 = settings }
        }
        clock?.advance(to: offset)
        applied.withLockedValue { $0 = table }
    }

    /// Applies the ledger's table of settings, unless it is in force.
    ///
    /// - Throws: `dataLoss` for an invalid value in the ledger; then nothing has changed.
    func applyStored(_ table: [String: String]) throws(TillError) {
        guard !isInForce(table) else {
            return
        }
        do {
            try apply(table)
        } catch {
            throw TillError(.dataLoss, "The ledger's settings cannot be used: \(error.message)", cause: error)
        }
    }

    func isInForce(_ table: [String: String]) -> Bool {
        applied.withLockedValue { $0 == table }
    }

    /// The defaults with the table's values in their place.
    func storeSettings(in table: [String: String]) throws(TillError) -> StoreSettings {
        var settings = defaults
        for key in StoreSettings.Key.allCases {
            if let value = table[key.rawValue] {
                try settings.set(key, to: value)
            }
        }
        return settings
    }

    /// All settings in force.
    var settings: [Setting] {
        let now = store.withLockedValue { $0 }
        let own = StoreSettings.Key.allCases.map { key in
            Setting(name: key.rawValue, value: now[key], domain: key.domain, isChanged: now[key] != defaults[key])
        }
        return own + (provider?.settings ?? [])
    }

    /// Checks one change.
    ///
    /// - Throws: `invalidArgument` for an unknown name, with the known names, or for an invalid value.
    func check(_ name: String, _ value: String?) throws(TillError) {
        if let key = StoreSettings.Key(rawValue: name) {
            var settings = defaults
            try settings.set(key, to: value ?? defaults[key])
        } else if let provider, provider.settings.contains(where: { $0.name == name }) {
            if let value {
                try provider.checkSetting(name, value)
            }
        } else {
            let known = settings.map(\.name).joined(separator: ", ")
            throw TillError(.invalidArgument, "Unknown setting \(name): use one of \(known).")
        }
    }

    /// How far the clock of the ledger was moved ahead.
    ///
    /// - Throws: `invalidArgument` for an invalid value, or the ledger's error.
    package static func clockOffset(in ledger: any Ledger) async throws -> Duration {
        try offset(in: try await ledger.read { try $0.settings() })
    }

    static func offset(in table: [String: String]) throws(TillError) -> Duration {
        guard let text = table[offsetName] else {
            return .zero
        }
        guard let milliseconds = Int64(text), milliseconds >= 0 else {
            throw TillError(.invalidArgument, "The clock's offset \(text) is not a number of milliseconds.")
        }
        return .milliseconds(milliseconds)
    }
}
