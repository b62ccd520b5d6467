import TillProviders

/// The keys of the simulated provider.
extension ConfigurationKey {
    static let simulated = Section(
        title: "Simulated provider",
        keys: [
            identifiers(
                "simulated.decline",
                valueName: "products",
                for: \.faults.declined,
                help: "Decline payments for these products."
            ),
            identifiers(
                "simulated.timeout-before",
                valueName: "products",
                for: \.faults.timeoutBeforeEffect,
                help: "Time out once per payment for these products, before charging."
            ),
            identifiers(
                "simulated.timeout-after",
                valueName: "products",
                for: \.faults.timeoutAfterEffect,
                help: "Time out once per payment for these products, after charging."
            ),
            identifiers(
                "simulated.unreachable",
                valueName: "products",
                for: \.faults.unreachable,
                help: "Never answer requests for these products."
            ),
            identifiers(
                "simulated.slow",
                valueName: "products",
                for: \.faults.slow,
                help: "Charge for these products after a delay."
            ),
            seconds(
                "simulated.delay",
                in: 0...SimulatedFaults.delayMaximum,
                for: \.faults.delay,
                help: "Delay charges for slow products by this many seconds."
            ),
            identifiers(
                "simulated.refuse-restore",
                valueName: "applications",
                for: \.faults.refusedRestores,
                help: "Refuse to restore purchases of these applications."
            ),
        ]
    )
}
