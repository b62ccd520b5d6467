import Foundation
import TillModel

/// The application's default name for the daemon.
enum ApplicationName {
    static var current: String {
        name(
            environment: ProcessInfo.processInfo.environment,
            bundleIdentifier: Bundle.main.bundleIdentifier,
            executable: ProcessInfo.processInfo.processName
        )
    }

    static func name(environment: [String: String], bundleIdentifier: String?, executable: String) -> String {
        if let name = environment["TILL_APPLICATION"], !name.isEmpty {
            return name
        }
        if let name = bundleIdentifier, Identifier.isValid(name) {
            return name
        }
        let allowed = executable.unicodeScalars.prefix(Identifier.maximumBytes).map { scalar in
            Identifier.isValid(String(scalar)) ? Character(scalar) : "-"
        }
        return allowed.isEmpty ? "application" : String(allowed)
    }
}
