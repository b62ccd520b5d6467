import NIOConcurrencyHelpers
import TillEngine
import TillModel

extension SessionServer {
    /// Returns the store's current settings.
    func settings() throws(SKTestError) -> StoreSettings {
        if let engine {
            return engine.settingsBox.withLockedValue { $0 }
        }
        let table = try read { try $0.settings() }
        var settings = catalogue.settings
        for (name, value) in table {
            if let key = StoreSettings.Key(rawValue: name) {
                try? settings.set(key, to: value)
            }
        }
        return settings
    }

    /// Changes settings, which take effect before it returns, or at the restart if the server is killed.
    ///
    /// - Parameter resetAll: Whether to reset all settings to the file's values first.
    func change(_ changes: [StoreSettings.Key: String], resetAll: Bool = false) throws(SKTestError) {
        let named = Dictionary(uniqueKeysWithValues: changes.map { ($0.key.rawValue, Optional($0.value)) })
        try exclusively { () throws(SKTestError) in
            if let engine {
                try wait { _ = try await engine.changeSettings(named, resetAll: resetAll, by: Self.identity) }
            } else {
                try store(changes, resetAll: resetAll)
            }
        }
    }

    /// Changes the settings in the ledger, for the next server.
    private func store(_ changes: [StoreSettings.Key: String], resetAll: Bool) throws(SKTestError) {
        let ledger = state.withLockedValue { $0.ledger }
        try wait { [defaults = catalogue.settings] in
            var settings = defaults
            for (key, value) in changes {
                try settings.set(key, to: value)
            }
            try await ledger.commit { ledger in
                for key in StoreSettings.Key.allCases {
                    if let value = changes[key] {
                        try ledger.setSetting(key.rawValue, to: value)
                    } else if resetAll {
                        try ledger.setSetting(key.rawValue, to: nil)
                    }
                }
            }
        }
    }
}
