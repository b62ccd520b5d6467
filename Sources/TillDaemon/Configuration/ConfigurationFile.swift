import Configuration
import Glibc
import TillCatalogue
import TillModel

/// The JSON file that `--config` names: an object with the keys of ``ConfigurationKey``, texts, numbers or lists of them.
///
/// A key that nobody reads is refused, and one that stands twice, so that a slip of the pen does not leave a limit unset.
enum ConfigurationFile {
    /// The largest that is read.
    static let bytesMaximum = 1 << 20

    static func provider(path: String) throws(TillError) -> InMemoryProvider {
        try provider(bytes(of: path), path: path)
    }

    /// - Parameter path: Where the bytes come from, for errors.
    static func provider(_ bytes: [UInt8], path: String) throws(TillError) -> InMemoryProvider {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw TillError(
                .invalidArgument,
                "\(path) is not a JSON object: in line \(error.line), \(error.reason)."
            )
        }
        guard let object = value.object else {
            throw TillError(.invalidArgument, "\(path) is not a JSON object.")
        }
        return InMemoryProvider(name: path, values: try values(of: object, prefix: "", path: path))
    }

    private static func bytes(of path: String) throws(TillError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw unreadable(path, errno)
        }
        defer { close(descriptor) }
        let bytes: [UInt8]?
        do {
            bytes = try FileBytes.read(descriptor, atMost: bytesMaximum)
        } catch {
            throw unreadable(path, error.code)
        }
        guard let bytes else {
            throw TillError(.invalidArgument, "The configuration file \(path) is larger than 1 MiB.")
        }
        return bytes
    }

    private static func unreadable(_ path: String, _ code: CInt) -> TillError {
        let reason = unsafe String(cString: strerror(code))
        return TillError(.invalidArgument, "Cannot read the configuration file \(path): \(reason).")
    }

    private static func values(
        of object: [String: JSONValue],
        prefix: String,
        path: String
    ) throws(TillError) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in object {
            if prefix.isEmpty, let group = value.object {
                values.merge(try self.values(of: group, prefix: "\(name).", path: path)) { first, _ in first }
            } else {
                // Of a key in an object, only the rest stands there.
                guard let key = ConfigurationKey(rawValue: prefix + name), !prefix.isEmpty || !name.contains(".") else {
                    throw TillError(.invalidArgument, "\(path) sets \(prefix)\(name), which is no key.")
                }
                values[AbsoluteConfigKey(key.configKey)] = try self.value(value, of: key, path: path)
            }
        }
        return values
    }

    private static func value(_ value: JSONValue, of key: ConfigurationKey, path: String) throws(TillError)
        -> ConfigValue
    {
        let elements = key.isList ? value.array : [value]
        guard let texts = elements?.map(\.exactText), !texts.contains(nil) else {
            let kind = key.isList ? "a list of texts or numbers" : "a text or a number"
            throw TillError(.invalidArgument, "\(path): \(key.rawValue) takes \(kind).")
        }
        return ConfigurationKey.value(of: texts.compactMap(\.self), isList: key.isList)
    }
}

extension ConfigurationKey {
    static func value(of texts: [String], isList: Bool) -> ConfigValue {
        ConfigValue(isList ? .stringArray(texts) : .string(texts.first ?? ""), isSecret: false)
    }
}
