import Foundation
import ProcessTesting
import Testing

/// A real daemon in a directory of its own, and the command line that people use it with, for one application.
struct Shop {
    let site: Site
    let daemon: Daemon
    /// Whose queue it is.
    var application = notes

    /// The application of most tests.
    static let notes = "org.example.notes"

    /// Opens a shop for `body`. In the end the daemon stops well, and its books agree with the provider's.
    ///
    /// - Parameters:
    ///   - catalogue: The `.storekit` file of what is sold, which is used as it is.
    ///   - options: Of the daemon.
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

    /// The same daemon for another application.
    func application(_ name: String) -> Shop {
        var shop = self
        shop.application = name
        return shop
    }

    /// Runs a verb of the command line, and returns what it printed.
    ///
    /// - Parameter status: What it has to exit with.
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

    /// Starts a verb that goes on, such as `watch`.
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

    /// Looks again and again until something is so.
    func until(
        _ what: Comment,
        within limit: Duration = .seconds(60),
        every interval: Duration = .milliseconds(5),
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isSo: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while try await !isSo() {
            try #require(ContinuousClock.now < deadline, what, sourceLocation: sourceLocation)
            await Alarm.after(interval)
        }
    }
}
