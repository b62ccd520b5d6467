import ArgumentParser
import TillDaemon

/// What the simulated provider is told to do wrong.
struct SimulatedOptions: ParsableArguments {
    @Option(name: .customLong("simulated-decline"), help: .init("Decline these.", valueName: "products"))
    var decline: [String] = []

    @Option(
        name: .customLong("simulated-timeout-before"),
        help: .init("Time out once for each payment, before charging.", valueName: "products")
    )
    var timeoutBefore: [String] = []

    @Option(
        name: .customLong("simulated-timeout-after"),
        help: .init("Time out once for each payment, after charging.", valueName: "products")
    )
    var timeoutAfter: [String] = []

    @Option(name: .customLong("simulated-unreachable"), help: .init("Never answer for these.", valueName: "products"))
    var unreachable: [String] = []

    @Option(name: .customLong("simulated-slow"), help: .init("Charge for these after a delay.", valueName: "products"))
    var slow: [String] = []

    @Option(
        name: .customLong("simulated-delay"),
        help: .init("How long that is, 0 to 3600 (default: 5).", valueName: "seconds")
    )
    var delay: String?

    @Option(
        name: .customLong("simulated-refuse-restore"),
        help: .init("Refuse to restore purchases of these.", valueName: "applications")
    )
    var refuseRestore: [String] = []

    var values: [ConfigurationKey: [String]] {
        let given: [ConfigurationKey: [String]] = [
            .simulatedDecline: decline.splitAtCommas,
            .simulatedTimeoutBefore: timeoutBefore.splitAtCommas,
            .simulatedTimeoutAfter: timeoutAfter.splitAtCommas,
            .simulatedUnreachable: unreachable.splitAtCommas,
            .simulatedSlow: slow.splitAtCommas,
            .simulatedDelay: [delay].compactMap(\.self),
            .simulatedRefuseRestore: refuseRestore.splitAtCommas,
        ]
        return given.filter { !$0.value.isEmpty }
    }
}

extension [String] {
    /// The parts of all elements, without spaces around them.
    var splitAtCommas: [String] {
        flatMap { $0.split(separator: ",") }.map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
    }
}
