import ArgumentParser
import Foundation
import FoundationNetworking
import TillClient

/// What a browser that shows the operator page's overview asks for while payments arrive, and Prometheus beside it.
struct Page: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read the operator page's overview and the metrics until a signal."
    )
    /// The page hears of changes at most twice a second, and shows its view again then.
    private static let pause = Duration.milliseconds(500)

    @OptionGroup var daemon: Daemon

    @Option(help: ArgumentHelp("Create this file once everything was read once.", valueName: "file"))
    var ready: String

    func run() async throws {
        let store = TillOperator(ClientConfiguration(application: Daemon.application, socketPath: daemon.address))
        let invitation = try await store.openConsole(readOnly: true)
        await store.close()
        let session = try await open(invitation)
        while true {
            _ = try await answer(to: request(invitation, "/view/overview", session))
            _ = try await answer(to: request(invitation, "/metrics"))
            try Data().write(to: URL(fileURLWithPath: ready))
            try await Task.sleep(for: Self.pause)
        }
    }

    private func open(_ invitation: ConsoleInvitation) async throws -> String {
        var opening = try request(invitation, "/session")
        opening.httpMethod = "POST"
        opening.setValue("application/json", forHTTPHeaderField: "Content-Type")
        opening.httpBody = try JSONEncoder().encode(["invitation": invitation.secret])
        let fields = try JSONDecoder().decode([String: String].self, from: try await answer(to: opening))
        guard let session = fields["session"] else {
            throw LoadError("The operator page opened no session.")
        }
        return session
    }

    private func request(_ invitation: ConsoleInvitation, _ path: String, _ session: String? = nil) throws -> URLRequest
    {
        guard let url = URL(string: "http://\(invitation.address)\(path)") else {
            throw LoadError("The operator page has no address that is a URL: \(invitation.address)")
        }
        var request = URLRequest(url: url)
        request.setValue(session.map { "Bearer \($0)" }, forHTTPHeaderField: "Authorization")
        return request
    }

    private func answer(to request: URLRequest) async throws -> Data {
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            throw LoadError(
                "The operator page refused \(request.url?.path ?? ""): \(String(decoding: data, as: UTF8.self))"
            )
        }
        return data
    }
}
