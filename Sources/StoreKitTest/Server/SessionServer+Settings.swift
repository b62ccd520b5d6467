import NIOConcurrencyHelpers
import TillEngine
import TillModel

extension SessionServer {
    /// The store's settings as they are in force.
    func settings() throws(SKTestError) -> StoreSettings {
        if let engine = state.withLockedValue({ $0.run?.engine }) {
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

    /// Changes settings, which are in force when it returns; while the server is killed, once it is restarted.
    ///
    /// - Parameter resetAll: Whether all settings first go back to what the file says.
    func change(_ changes: [StoreSettings.Key: String], resetAll: Bool = false) throws(SKTestError) {
        let named = Dictionary(uniqueKeysWithValues: changes.map { ($0.key.rawValue, Optional($0.value)) })
        if isRunning {
            return try perform { _ = try await $0.changeSettings(named, resetAll: resetAll, by: Self.identity) }
        }
        let ledger = state.withLockedValue { $0.ledger }
        try wait { [catalogue] in
            var settings = catalogue.settings
            for (key, value) in changes {
                try settings.set(key, to: value)
            }
            try await ledger.commit { writer in
                if resetAll {
                    for key in StoreSettings.Key.allCases {
                        try writer.setSetting(key.rawValue, to: nil)
                    }
                }
                for (name, value) in named {
                    try writer.setSetting(name, to: value)
                }
            }
        }
    }
}
