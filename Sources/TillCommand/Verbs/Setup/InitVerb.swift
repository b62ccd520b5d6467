import ArgumentParser
import Foundation
import TillCatalogue
import TillClient
import TillModel
import TillOutput

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct InitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up your own daemon for a .storekit file.",
        discussion: """
            The command checks the file, writes the daemon's configuration to ~/.config/till/tilld.json, lets systemd \
            start the daemon now and at each login, and says what to type next. Where systemd does not run for you, it \
            says how to start the daemon. It never changes an existing configuration.

            Example: till init Notes.storekit
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(name: .customLong("no-service"), help: "Write the configuration, and start nothing.")
    var startsNothing = false

    @Argument(
        help: ArgumentHelp("The .storekit file. Without it, you are asked.", valueName: "file"),
        completion: .file(extensions: ["storekit"])
    )
    var file: String?

    func run(_ console: Console) async throws {
        let catalogue = try await catalogueFile(console)
        let products = try Self.products(of: catalogue, console)
        let service = try UserService.State(console, isWanted: !startsNothing)
        let setup = try DaemonSetup(
            catalogue: catalogue,
            environment: console.environment,
            isRoot: geteuid() == 0,
            socket: common.socket,
            service: service
        )
        try setup.write()
        if case .available(let service) = service {
            try service.start()
            try await check(setup, console)
        }
        let application = try common.namedApplication(console)
        try console.print(
            InitOutput(setup: setup, products: products, application: application),
            asJSON: common.json
        )
    }

    /// The file that the user names, as an absolute path.
    private func catalogueFile(_ console: Console) async throws(CommandFailure) -> String {
        var path = file
        if path == nil, let show = console.show, let readLine = console.readLine {
            show("The .storekit file with your products: ")
            path = await readLine()?.trimmingCharacters(in: .whitespaces)
            // At the end of the input, the cursor is still behind the question.
            if path == nil { show("\n") }
        }
        guard let path, !path.isEmpty else {
            throw CommandFailure(.usage, "No .storekit file: name one, for example till init Notes.storekit.")
        }
        let home = console.environment["HOME"]
        let isAtHome = file == nil && path.hasPrefix("~/")
        let expanded = isAtHome ? home.map { "\($0)/\(path.dropFirst(2))" } ?? path : path
        return expanded.absolutePath
    }

    /// The products of a file that a daemon would accept. Warnings go to the standard error.
    private static func products(of file: String, _ console: Console) throws(CommandFailure) -> [CatalogueProduct] {
        let check = CatalogueCheck(files: [file])
        for diagnostic in check.diagnostics {
            console.notice("\(diagnostic)")
        }
        guard !check.hasErrors else {
            throw CommandFailure(.badData, "The daemon would not start with this file: mend its errors first.")
        }
        return check.products
    }

    /// Checks that the daemon serves. systemd says only that it has started.
    private func check(_ setup: DaemonSetup, _ console: Console) async throws {
        var verb = self
        verb.common.socket = setup.socket
        try await verb.withQueue(console, fallback: Till.application) { _ = try await $0.status() }
    }
}

/// What was set up, and what to type next.
struct InitOutput: Output {
    let setup: DaemonSetup
    let products: [CatalogueProduct]
    /// The application that the user named.
    let application: String?

    var lines: [String] {
        let count = products.count == 1 ? "1 product" : "\(products.count) products"
        let written =
            "\(setup.isNew ? "Wrote" : "Kept") \(setup.configuration), which sells \(count) of \(setup.catalogue)."
        return [written] + start + ["", "Then type:"] + next.map { "  \($0)" }
    }

    /// How the daemon starts.
    private var start: [String] {
        let command = "  tilld --config \(setup.configuration.asShellWord)"
        switch setup.service {
        case .available:
            return ["Started tilld; systemd starts it at each login. Its log: journalctl --user --unit tilld"]
        case .absent(let reason):
            return [reason.map { "\($0): start the daemon yourself." } ?? "Start the daemon:", command]
        }
    }

    private var next: [String] {
        let purchase = products.first { $0.type == .consumable } ?? products.first
        var commands = ["export TILL_APPLICATION=\(application ?? suggestedApplication)", "till products"]
        if !setup.isFoundByDefault {
            commands.insert("export TILL_SOCKET=\(setup.socket.asShellWord)", at: 0)
        }
        if let purchase {
            commands += ["till buy \(purchase.id.asShellWord)", "till finish --all"]
        }
        return commands
    }

    /// The beginning that all products have in common, which is the application's identifier as a rule.
    private var suggestedApplication: String {
        let names = products.map { $0.id.split(separator: ".").dropLast() }
        let shared = names.dropFirst().reduce(names.first ?? []) { shared, name in
            shared.prefix(zip(shared, name).prefix { $0 == $1 }.count)
        }
        let application = shared.joined(separator: ".")
        return Identifier.isValid(application) ? application : "org.example.app"
    }

    var json: JSONObject {
        [
            "configuration": setup.configuration,
            "is_new": setup.isNew,
            "catalogue": setup.catalogue,
            "products": products.count,
            "socket": setup.socket,
            "is_started": setup.service.isAvailable,
        ]
    }
}

extension String {
    /// The text as one word of a shell's command line.
    fileprivate var asShellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy(Self.plainBytes.contains)
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }

    private static let plainBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@".utf8)
}
