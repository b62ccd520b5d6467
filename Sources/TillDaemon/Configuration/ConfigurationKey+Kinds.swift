import TillModel
import TillProviders

/// Keys of the usual kinds. Each names the property that it sets, which also has the default.
extension ConfigurationKey {
    typealias Property<Value> = any WritableKeyPath<DaemonConfiguration, Value> & Sendable

    /// The configuration without any key, for defaults.
    static var defaults: DaemonConfiguration {
        DaemonConfiguration(catalogueFiles: [], stateDirectory: "", socketPath: "")
    }

    /// A key that ``DaemonConfiguration`` reads itself, because its value depends on other keys or the environment.
    static func dependent(
        _ name: String,
        _ kind: Kind,
        valueName: String,
        defaultText: String? = nil,
        help: String,
        details: String
    ) -> ConfigurationKey {
        ConfigurationKey(
            name,
            kind,
            valueName: valueName,
            defaultText: defaultText,
            help: help,
            details: details
        ) { _, _ in }
    }

    static func seconds(
        _ name: String,
        in bounds: ClosedRange<Int>,
        for property: Property<Duration>,
        help: String,
        details: String = ""
    ) -> ConfigurationKey {
        integer(
            name,
            IntegerRange(bounds: bounds, unit: "seconds"),
            valueName: "seconds",
            defaultText: String(defaults[keyPath: property].components.seconds),
            help: help,
            details: details
        ) { configuration, seconds in
            configuration[keyPath: property] = .seconds(seconds)
        }
    }

    /// A number of days, or 0 for no limit.
    static func days(
        _ name: String,
        in bounds: ClosedRange<Int>,
        for property: Property<Duration?>,
        help: String,
        details: String = ""
    ) -> ConfigurationKey {
        integer(
            name,
            IntegerRange(bounds: bounds, unit: "days", allowsZero: true),
            valueName: "days",
            defaultText: "0",
            help: help,
            details: details
        ) { configuration, days in
            configuration[keyPath: property] = days == 0 ? nil : .seconds(days * 24 * 3600)
        }
    }

    static func integer<Number: FixedWidthInteger & Sendable>(
        _ name: String,
        _ range: IntegerRange,
        valueName: String,
        for property: Property<Number>,
        help: String,
        details: String = ""
    ) -> ConfigurationKey {
        integer(
            name,
            range,
            valueName: valueName,
            defaultText: String(defaults[keyPath: property]),
            help: help,
            details: details
        ) { configuration, value in
            configuration[keyPath: property] = Number(value)
        }
    }

    /// A key for a property that may be nil, which 0 stands for if the range allows it.
    static func optionalInteger<Number: FixedWidthInteger & Sendable>(
        _ name: String,
        _ range: IntegerRange,
        valueName: String,
        for property: Property<Number?>,
        defaultText: String? = nil,
        help: String,
        details: String = ""
    ) -> ConfigurationKey {
        integer(
            name,
            range,
            valueName: valueName,
            defaultText: defaultText ?? String(defaults[keyPath: property] ?? 0),
            help: help,
            details: details
        ) { configuration, value in
            configuration[keyPath: property] = value == 0 ? nil : Number(value)
        }
    }

    /// A key whose values are the cases of a type.
    static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        for property: Property<Choice>,
        help: String,
        details: String = ""
    ) -> ConfigurationKey where Choice.RawValue == String {
        ConfigurationKey(
            name,
            .choice(Choice.allCases.map(\.rawValue)),
            valueName: "name",
            defaultText: "`\(defaults[keyPath: property].rawValue)`",
            help: help,
            details: details
        ) { configuration, texts throws(TillError) in
            guard let choice = texts.first.flatMap(Choice.init(rawValue:)) else {
                throw .invalid(name, texts.first ?? "", use: Choice.allCases.map(\.rawValue).inWords)
            }
            configuration[keyPath: property] = choice
        }
    }

    /// A list of identifiers of the simulated provider.
    static func identifiers(
        _ name: String,
        valueName: String,
        for property: Property<Set<String>>,
        help: String
    ) -> ConfigurationKey {
        ConfigurationKey(name, .list, valueName: valueName, help: help) { configuration, texts throws(TillError) in
            let rule = "1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : - for each"
            let identifiers = Set(texts)
            if let wrong = identifiers.sorted().first(where: { !Identifier.isValid($0) }) {
                throw .invalid(name, wrong, use: rule)
            }
            guard identifiers.count <= SimulatedFaults.listMaximum else {
                throw TillError(
                    .invalidArgument,
                    "Too many \(valueName) in \(name), \(identifiers.count): use at most \(SimulatedFaults.listMaximum)."
                )
            }
            configuration[keyPath: property] = identifiers
        }
    }

    private static func integer(
        _ name: String,
        _ range: IntegerRange,
        valueName: String,
        defaultText: String,
        help: String,
        details: String,
        set: @escaping @Sendable (inout DaemonConfiguration, Int) -> Void
    ) -> ConfigurationKey {
        ConfigurationKey(
            name,
            .integer(range),
            valueName: valueName,
            defaultText: defaultText,
            help: help,
            details: details
        ) { configuration, texts throws(TillError) in
            let text = texts.first ?? ""
            guard let value = Int(text), range.contains(value) else {
                throw .invalid(name, text, use: range.text)
            }
            set(&configuration, value)
        }
    }
}
