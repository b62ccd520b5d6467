package import TillModel

extension PaymentEngine {
    /// The maximum bytes of all names and values in one change of settings, which the audit log stores.
    package static let settingsChangeMaximumBytes = 1024
    /// Queues that are read at a time to notify them of another storefront.
    private static let queuesPage = 1000

    /// Whether the store is simulated: operators may change its settings and its clock.
    package var isSimulated: Bool {
        controls.provider != nil
    }

    /// The store's settings, as text.
    package func storeSettings() -> [Setting] {
        controls.settings
    }

    /// Applies the settings that operators have stored. Commands wait until ``run()`` has done so; servers call it
    /// before they serve, so that reads use these settings too.
    ///
    /// - Throws: `dataLoss` for an invalid value in the ledger.
    package func loadSettings() async throws(TillError) {
        try controls.applyStored(try await read { try $0.settings() })
    }

    /// Changes settings of the simulated store, all together or none. In force when it returns.
    ///
    /// - Parameters:
    ///   - changes: Values by name; nil resets a setting to its configured value.
    ///   - resetAll: Whether all settings are first reset to their configured values.
    /// - Throws: `failedPrecondition` when the provider is not simulated, `invalidArgument` for a name, which lists those
    ///   that are known, or a value: nothing happened.
    package func changeSettings(
        _ changes: [String: String?],
        resetAll: Bool,
        by identity: OperatorIdentity
    ) async throws(TillError) -> [Setting] {
        try identity.validate()
        guard isSimulated else {
            throw TillError(.failedPrecondition, "Only the simulated store's settings can be changed.")
        }
        let detail = Self.detail(changes, resetAll: resetAll)
        guard detail.utf8.count <= Self.settingsChangeMaximumBytes else {
            throw TillError(
                .invalidArgument,
                "Change fewer settings at once: at most \(Self.settingsChangeMaximumBytes) bytes of names and values."
            )
        }
        for (name, value) in changes {
            try controls.check(name, value)
        }
        if let country = changes[StoreSettings.Key.storefront.rawValue] ?? nil {
            try checkStorefront(country)
        }
        try await commit { context in
            try context.audit("ChangeSettings", subject: "settings", detail: detail, by: identity)
            try self.store(changes, resetAll: resetAll, &context)
            return .success(())
        }
        return controls.settings
    }

    private func checkStorefront(_ country: String) throws(TillError) {
        guard parts.catalogue.source.hasStorefront(countryCode: country) else {
            throw TillError(
                .invalidArgument,
                "The App Store has no storefront \(country): use the ISO 3166-1 alpha-3 code of one of its countries, "
                    + "for example USA."
            )
        }
    }

    private func store(_ changes: [String: String?], resetAll: Bool, _ context: inout CommandContext) throws {
        let before = try context.ledger.settings()
        var after = resetAll ? before.filter { StoreControls.ownNames.contains($0.key) } : before
        for (name, value) in changes {
            after[name] = value
        }
        for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
            try context.ledger.setSetting(name, to: after[name])
        }
        context.effects.settings = after
        let storefront = try controls.storeSettings(in: after).storefront
        if storefront != (try controls.storeSettings(in: before).storefront) {
            try announce(parts.catalogue.source.storefront(countryCode: storefront), &context)
        }
    }

    /// Notifies every queue of another storefront.
    private func announce(_ storefront: Storefront, _ context: inout CommandContext) throws {
        var last: Int64 = 0
        while true {
            let queues = try context.ledger.queues(afterKey: last, limit: Self.queuesPage)
            for queue in queues {
                try context.append(.storefrontChanged(storefront), toQueue: queue.key)
            }
            guard queues.count == Self.queuesPage, let key = queues.last?.key else {
                return
            }
            last = key
        }
    }

    /// The change as the audit log keeps it.
    private static func detail(_ changes: [String: String?], resetAll: Bool) -> String {
        let changes = changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ?? "(default)")" }
        return ((resetAll ? ["reset_all"] : []) + changes).joined(separator: " ")
    }
}
