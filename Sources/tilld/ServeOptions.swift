import ArgumentParser
import Foundation
import Logging
import TillDaemon
import TillModel

/// The options of `tilld serve`: one for each key of the configuration, and those that are not keys.
struct ServeOptions: ParsableArguments {
    @OptionGroup(title: "Configuration")
    var daemon: KeyOptions<DaemonKeys>

    @OptionGroup(title: "Simulated provider")
    var simulated: KeyOptions<SimulatedKeys>

    @Option(help: .init("Read the configuration from this JSON file.", valueName: "file"), completion: .file())
    var config: String?

    @Option(
        help: .init("Log from this level on (\(levels.joined(separator: ", ")); default: notice).", valueName: "level"),
        completion: .list(levels),
        transform: { try choice($0, of: "level") }
    )
    var logLevel = Logger.Level.notice

    @Option(
        help: .init(
            "Log lines of text or JSON (\(formats.joined(separator: ", ")); default: text).",
            valueName: "format"
        ),
        completion: .list(formats),
        transform: { try choice($0, of: "format") }
    )
    var logFormat = LogFormat.text

    /// The configuration of the options, the environment and the file.
    ///
    /// - Throws: ``Failure`` with the exit status for configuration.
    func configuration() throws -> DaemonConfiguration {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try DaemonConfiguration(
                options: daemon.values.merging(simulated.values) { first, _ in first },
                environment: environment,
                file: config ?? environment["TILL_CONFIG"],
                isRoot: geteuid() == 0
            )
        } catch {
            throw Failure(configuration: error)
        }
    }

    private static let levels = Logger.Level.allCases.map(\.rawValue)

    private static let formats = LogFormat.allCases.map(\.rawValue)

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String,
        of kind: String
    ) throws -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(text) is not a log \(kind): use one of \(names).")
        }
        return choice
    }
}
