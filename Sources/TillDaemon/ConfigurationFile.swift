import Configuration
import Foundation
import TillModel

/// The JSON file that `--config` names: an object with the keys of ``ConfigurationKey``, texts, numbers or lists of them.
///
/// A key that nobody reads is refused, so that a slip of the pen does not leave a limit unset.
enum ConfigurationFile {
    static func provider(path: String) throws(TillError) -> InMemoryProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TillError(.invalidArgument, "Cannot read the configuration file \(path).")
        }
        return try provider(data, path: path)
    }

    /// - Parameter path: Where the data comes from, for errors.
    static func provider(_ data: Data, path: String) throws(TillError) -> InMemoryProvider {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw TillError(.invalidArgument, "\(path) is not a JSON object.")
        }
        return InMemoryProvider(name: path, values: try values(of: object, prefix: "", path: path))
    }

    private static func values(
        of object: [String: Any],
        prefix: String,
        path: String
    ) throws(TillError) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in object {
            if prefix.isEmpty, let group = value as? [String: Any] {
                values.merge(try self.values(of: group, prefix: "\(name).", path: path)) { first, _ in first }
            } else {
                guard let key = ConfigurationKey(rawValue: prefix + name) else {
                    throw TillError(.invalidArgument, "\(path) sets \(prefix)\(name), which is no key.")
                }
                values[AbsoluteConfigKey(key.configKey)] = try self.value(value, of: key, path: path)
            }
        }
        return values
    }

    private static func value(_ value: Any, of key: ConfigurationKey, path: String) throws(TillError) -> ConfigValue {
        let elements = key.isList ? value as? [Any] : [value]
        guard let texts = elements?.map(text), !texts.contains(nil) else {
            let kind = key.isList ? "a list of texts or numbers" : "a text or a number"
            throw TillError(.invalidArgument, "\(path): \(key.rawValue) takes \(kind).")
        }
        return ConfigurationKey.value(of: texts.compactMap(\.self), isList: key.isList)
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
}

extension ConfigurationKey {
    static func value(of texts: [String], isList: Bool) -> ConfigValue {
        ConfigValue(isList ? .stringArray(texts) : .string(texts.first ?? ""), isSecret: false)
    }
}
