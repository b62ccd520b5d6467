import ArgumentParser
import Foundation
import TillClient
import TillOutput

struct ConsoleVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Show the address of the daemon's operator page.",
        discussion: """
            For operators. The address has an invitation, which opens the page once and within a minute. Anyone who opens \
            the page acts as you: the audit log names you. The daemon serves the page if it was started with \
            --console-address, see tilld(8).

            Example: till console --open
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(name: .customLong("read-only"), help: "Let the page change nothing.")
    var isReadOnly = false

    @OptionGroup var page: PageOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let invitation = try await store.openConsole(readOnly: isReadOnly)
            try console.print(InvitationOutput(invitation: invitation), asJSON: common.json)
            guard page.open, let url = invitation.url else {
                return
            }
            let redirect = try RedirectFile(to: url, environment: console.environment)
            console.open(file: redirect.path)
        }
    }
}

/// The address of the operator page.
struct InvitationOutput: Output {
    let invitation: ConsoleInvitation

    var lines: [String] {
        guard let url = invitation.url else {
            let socket = invitation.address.dropFirst("unix:".count)
            return [
                "The page is at the socket \(socket). Forward a port to it, for example:",
                "  ssh -L 8481:\(socket) HOST",
                "Then open http://127.0.0.1:8481\(invitation.path)",
            ]
        }
        return [url]
    }

    var json: JSONObject {
        [
            "address": invitation.address,
            "invitation": invitation.secret,
            "url": invitation.url,
            "valid_seconds": Int(invitation.validFor.components.seconds),
        ]
    }
}

/// A page that leads to another, in a file that only the user can read. The other's address is a secret, and every user of
/// the machine can read the arguments of the program that opens a browser.
struct RedirectFile {
    private static let name = "till-console.html"

    let path: String

    /// - Throws: `CommandFailure` if the user has no directory for it.
    init(to url: String, environment: [String: String]) throws {
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else {
            throw CommandFailure(.outputFailed, "XDG_RUNTIME_DIR is not set: open the address yourself.")
        }
        path = "\(directory)/\(Self.name)"
        let html = """
            <!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">\
            <meta http-equiv="refresh" content="0; url=\(url)"><title>Till</title>

            """
        try? FileManager.default.removeItem(atPath: path)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(html.utf8), attributes: attributes) else {
            throw CommandFailure(.outputFailed, "\(path) cannot be written: open the address yourself.")
        }
    }
}
