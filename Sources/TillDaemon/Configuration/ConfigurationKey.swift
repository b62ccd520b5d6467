import Configuration
import TillModel

/// A key of the daemon's configuration: its name, its values, its texts and what it sets.
///
/// The key `allow-users` is the option `--allow-users`, the variable `TILL_ALLOW_USERS` and the member `"allow-users"` of
/// the file. The key `simulated.decline` is `--simulated-decline`, `TILL_SIMULATED_DECLINE`, and the member `decline` of
/// the file's object `simulated`.
package struct ConfigurationKey: Sendable {
    /// The values that a key takes.
    package enum Kind: Hashable, Sendable {
        case text
        case file
        case directory
        case choice([String])
        case integer(IntegerRange)
        /// Several texts, which the command line and the environment separate by commas.
        case list
        /// Several files of this extension. On the command line, a file's name may contain commas.
        case files(extension: String)
    }

    /// Sets what the key is for in a configuration; throws `invalidArgument` for an invalid value.
    typealias Setter = @Sendable (inout DaemonConfiguration, [String]) throws(TillError) -> Void

    package let name: String
    package let kind: Kind
    /// The placeholder for the value, such as `seconds`.
    package let valueName: String
    /// The default as users write it, in Markdown; nil without one.
    package let defaultText: String?
    /// A summary of at most ten words, in Markdown.
    package let help: String
    /// The sentences that the manual page and the documentation add to the summary, in Markdown.
    package let details: String
    let set: Setter

    init(
        _ name: String,
        _ kind: Kind,
        valueName: String,
        defaultText: String? = nil,
        help: String,
        details: String = "",
        set: @escaping Setter
    ) {
        self.name = name
        self.kind = kind
        self.valueName = valueName
        self.defaultText = defaultText
        self.help = help
        self.details = details
        self.set = set
    }

    /// The option's name, without its hyphens.
    package var option: String {
        name.replacing(".", with: "-")
    }

    /// Whether the key takes several values.
    package var isList: Bool {
        switch kind {
        case .list, .files: true
        case .text, .file, .directory, .choice, .integer: false
        }
    }

    /// The valid values in words, without the unit, which the summary names; nil where any text of the kind is valid.
    package var domain: String? {
        switch kind {
        case .choice(let names): names.map { "`\($0)`" }.inWords
        case .integer(let range): range.textWithoutUnit
        case .text, .file, .directory, .list, .files: nil
        }
    }

    var configKey: ConfigKey {
        ConfigKey(name)
    }

    /// The value for a provider of configuration.
    func value(of texts: [String]) -> ConfigValue {
        ConfigValue(isList ? .stringArray(texts) : .string(texts.first ?? ""), isSecret: false)
    }

    /// The configured value, one text for a key that is not a list; nil without one.
    func texts(in config: ConfigReader) -> [String]? {
        isList ? config.stringArray(forKey: configKey) : config.string(forKey: configKey).map { [$0] }
    }
}

/// The integers that a key takes.
package struct IntegerRange: Hashable, Sendable {
    var bounds: ClosedRange<Int>
    /// The unit of the number, such as `seconds`.
    var unit: String
    /// Whether 0 is valid too, and stands for no limit.
    var allowsZero = false

    /// The range in words, with the unit.
    var text: String {
        text(unit: unit.isEmpty ? "" : " \(unit)")
    }

    /// The range in words, for a place that names the unit already.
    var textWithoutUnit: String {
        text(unit: "")
    }

    private func text(unit: String) -> String {
        let values = bounds.upperBound == .max ? " or more" : " to \(bounds.upperBound)"
        return "\(bounds.lowerBound)\(values)\(unit)" + (allowsZero ? ", or 0 for no limit" : "")
    }

    func contains(_ value: Int) -> Bool {
        bounds.contains(value) || allowsZero && value == 0
    }
}

extension TillError {
    /// The error for a value of a configuration key: what to use instead completes the sentence.
    static func invalid(_ key: String, _ value: String, use rule: String) -> TillError {
        TillError(.invalidArgument, "Invalid \(key) \(value.isEmpty ? "''" : value): use \(rule).")
    }
}

extension [String] {
    /// The elements as an enumeration: `a, b or c`.
    var inWords: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or \(self[count - 1])"
    }
}
