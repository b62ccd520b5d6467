import Foundation
import ProcessTesting
import Testing

/// A real daemon in its own directory, and the command line of one application.
struct Shop {
    let site: Site
    let daemon: Daemon
    /// The application whose queue the commands use.
    var application = notes

    /// The application of most tests.
    static let notes = "org.example.notes"

    /// Opens a shop for `body`. At the end the daemon must stop successfully, and its books must agree with the
    /// provider's.
    ///
    /// - Parameters:
    ///   - catalogue: The `.storekit` file of the store, which is used unmodified.
    ///   - options: The options of the daemon.
    static func open(
        _ catalogue: URL = Catalogues.notes,
        _ options: [String] = [],
        prepare: (Site) async throws -> Void = { _ in },
        _ body: (Shop) async throws -> Void
    ) async throws {
        try await Site.with(catalogue: Data(contentsOf: catalogue)) { site in
            let shop = Shop(site: site, daemon: Daemon(site, options: options))
            try await prepare(site)
            try await shop.daemon.start()
            try await body(shop)
            try await shop.daemon.stop()
            try await shop.expectThatTheBooksAgree()
        }
    }

    /// A shop with the same daemon for another application.
    func application(_ name: String) -> Shop {
        var shop = self
        shop.application = name
        return shop
    }

    /// Runs a command, and returns its output.
    ///
    /// - Parameter status: The expected exit status.
    @discardableResult
    func till(
        _ arguments: String...,
        exits status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Printed {
        try await run(arguments, exits: status, sourceLocation)
    }

    func run(_ arguments: [String], exits status: Int32 = 0, _ sourceLocation: SourceLocation) async throws -> Printed {
        let command = try start(arguments)
        let exit = await command.process.exit()
        let printed = try command.printed
        try #require(
            exit == .status(status),
            "till \(arguments.joined(separator: " ")) printed \(printed.text)\(printed.errors)",
            sourceLocation: sourceLocation
        )
        return printed
    }

    /// Starts a command that keeps running, such as `watch`.
    func start(_ arguments: [String]) throws -> RunningCommand {
        let common = ["--socket", site.socket, "--application", application, "--json"]
        let name = "till-\(daemon.nextCommand())"
        let process = try site.start(
            arguments.joined(separator: " "),
            Binaries.command,
            arguments + common,
            log: "\(name).out",
            errors: "\(name).err"
        )
        return RunningCommand(process: process, output: site.path("\(name).out"), errors: site.path("\(name).err"))
    }

    /// Polls until a condition is true. `failure` describes the test's failure if the time limit is reached.
    func until(
        _ failure: Comment,
        within limit: Duration = .seconds(60),
        every interval: Duration = .milliseconds(5),
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while try await !isSo() {
            try #require(ContinuousClock.now < deadline, failure, sourceLocation: sourceLocation)
            await Alarm.after(interval)
        }
    }
}
