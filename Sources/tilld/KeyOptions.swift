import ArgumentParser
import TillDaemon

/// Keys of the configuration that the help shows under one title.
protocol KeyGroup {
    static var keys: [ConfigurationKey] { get }
}

enum DaemonKeys: KeyGroup {
    static var keys: [ConfigurationKey] { ConfigurationKey.daemonKeys }
}

enum SimulatedKeys: KeyGroup {
    static var keys: [ConfigurationKey] { ConfigurationKey.simulatedKeys }
}

/// The command-line options of a group of configuration keys, made from the table of keys.
///
/// The parser finds options in the mirror of a new value and decodes each by its label there. Usually both are a struct's
/// properties; here, both are made from the keys.
struct KeyOptions<Group: KeyGroup>: ParsableArguments, CustomReflectable {
    private enum Value {
        case text(Option<String?>)
        case list(Option<[String]>)
    }

    private struct Label: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    /// The options in the keys' order.
    private var options: [(key: ConfigurationKey, value: Value)]

    init() {
        options = Group.keys.map { ($0, Self.definition($0)) }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Label.self)
        options = try Group.keys.map { key in
            let label = Label(stringValue: key.option)
            return key.isList
                ? (key, .list(try container.decode(Option<[String]>.self, forKey: label)))
                : (key, .text(try container.decode(Option<String?>.self, forKey: label)))
        }
    }

    var customMirror: Mirror {
        let children = options.map { option -> Mirror.Child in
            switch option.value {
            case .text(let value): (option.key.option, value)
            case .list(let value): (option.key.option, value)
            }
        }
        return Mirror(self, children: children, displayStyle: .struct)
    }

    /// The values of the options that were given, by the key's name. A list that is given empty has no values, which also
    /// overrides the environment and the file.
    var values: [String: [String]] {
        var values: [String: [String]] = [:]
        for (key, value) in options {
            switch value {
            case .text(let option):
                values[key.name] = option.wrappedValue.map { [$0] }
            case .list(let option) where !option.wrappedValue.isEmpty:
                values[key.name] = key.kind == .list ? option.wrappedValue.splitAtCommas : option.wrappedValue
            case .list:
                break
            }
        }
        return values
    }

    private static func definition(_ key: ConfigurationKey) -> Value {
        let name = NameSpecification.customLong(key.option)
        return key.isList
            ? .list(Option(wrappedValue: [], name: name, help: key.argumentHelp, completion: key.completion))
            : .text(Option(name: name, help: key.argumentHelp, completion: key.completion))
    }
}

extension ConfigurationKey {
    /// The help: the summary, the valid values and the default.
    fileprivate var argumentHelp: ArgumentHelp {
        let notes = [domain, defaultText.map { "default: \($0)" }].compactMap(\.self).joined(separator: "; ")
        let text = notes.isEmpty ? help : "\(help.dropLast()) (\(notes))."
        return ArgumentHelp("\(text.replacing("`", with: ""))", valueName: valueName)
    }

    fileprivate var completion: CompletionKind? {
        switch kind {
        case .file: .file()
        case .files(let ending): .file(extensions: [ending])
        case .directory: .directory
        case .choice(let names): .list(names)
        case .text, .integer, .list: nil
        }
    }
}

extension [String] {
    /// The elements, split at commas, without spaces before them.
    fileprivate var splitAtCommas: [String] {
        flatMap { $0.split(separator: ",") }.map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
    }
}
