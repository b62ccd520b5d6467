import Configuration
import Glibc
import TillCatalogue
import TillModel

/// The JSON file that `--config` names: an object whose keys are those of ``ConfigurationKey/all``, and whose values are
/// strings, numbers or lists of them.
///
/// Unknown and duplicate keys are errors, so that a misspelt key does not leave a limit unset.
enum ConfigurationFile {
    /// The maximum size of the file.
    static let bytesMaximum = 1 << 20

    static func provider(path: String) throws(TillError) -> InMemoryProvider {
        try provider(bytes(of: path), path: path)
    }

    /// - Parameter path: The file's path, for errors.
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
            if prefix.isEmpty, let group = value.object, ConfigurationKey.hasGroup(name) {
                values.merge(try self.values(of: group, prefix: "\(name).", path: path)) { first, _ in first }
            } else {
                // A group's key has its full name only outside of the file: in it, the group is an object.
                guard let key = ConfigurationKey[prefix + name], !prefix.isEmpty || !name.contains(".") else {
                    throw unknownKey(prefix + name, path)
                }
                values[AbsoluteConfigKey(key.configKey)] = try self.value(value, of: key, path: path)
            }
        }
        return values
    }

    private static func unknownKey(_ name: String, _ path: String) -> TillError {
        // In the file, a key that the command line writes as one word may be a member of a group.
        let parts =
            ConfigurationKey.all.first { $0.name == name || $0.option == name }?.name.split(separator: ".") ?? []
        guard parts.count == 2 else {
            return TillError(.invalidArgument, "\(path): unknown key \(name); see tilld(8) for the keys.")
        }
        return TillError(
            .invalidArgument,
            "\(path): unknown key \(name): write \"\(parts[0])\": {\"\(parts[1])\": …}."
        )
    }

    private static func value(_ value: JSONValue, of key: ConfigurationKey, path: String) throws(TillError)
        -> ConfigValue
    {
        let elements = key.isList ? value.array : [value]
        guard let texts = elements?.map(\.exactText), !texts.contains(nil) else {
            let kind = key.isList ? "a list of strings or numbers" : "a string or a number"
            throw TillError(.invalidArgument, "\(path): invalid \(key.name): use \(kind).")
        }
        return key.value(of: texts.compactMap(\.self))
    }
}
