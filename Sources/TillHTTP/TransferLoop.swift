import CCURL
import Dispatch
import NIOConcurrencyHelpers

/// Runs all transfers of a client. It occupies a thread only while there are transfers.
///
/// `@unchecked Sendable`: `transfers` is used only on `queue`. So is `multi`, with two exceptions: any thread may call
/// `curl_multi_wakeup` (https://curl.se/libcurl/c/curl_multi_wakeup.html), and the handle is freed once no other code
/// uses it. `@safe`: it owns the multi handle, and frees it at its end.
@safe final class TransferLoop: @unchecked Sendable {
    enum Command: Sendable {
        case start(Transfer)
        /// A paused transfer has room again.
        case resume(Transfer)
        case cancel(Transfer)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isRunning = false
    }

    /// The maximum time between two checks of the clock.
    private static let pollMaximum = Duration.seconds(1)
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let configuration: HTTPClient.Configuration
    private let queue = DispatchQueue(label: "till.http")
    private let multi: UnsafeMutableRawPointer
    private let inbox = NIOLockedValueBox(Inbox())
    private var transfers: [ActiveTransfer] = []

    init(_ configuration: HTTPClient.Configuration) throws(HTTPFailure) {
        guard Self.isSetUp, let multi = unsafe curl_multi_init() else {
            throw .connection("libcurl cannot be set up")
        }
        self.configuration = configuration
        unsafe self.multi = unsafe multi
        _ = unsafe till_curl_limit_connections(multi, configuration.connectionsMaximum)
    }

    deinit {
        unsafe curl_multi_cleanup(multi)
    }

    func send(_ command: Command) {
        let mustStart = inbox.withLockedValue { inbox in
            inbox.commands.append(command)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if mustStart {
            queue.async { self.run() }
        } else {
            unsafe curl_multi_wakeup(multi)
        }
    }

    /// Returns once there are no transfers and no commands.
    private func run() {
        while let commands = nextCommands() {
            commands.forEach(perform)
            var count: CInt = 0
            unsafe curl_multi_perform(multi, &count)
            finishEnded()
            finishIdle()
            if !transfers.isEmpty {
                unsafe curl_multi_poll(multi, nil, 0, pollTimeout, nil)
            }
        }
    }

    private func nextCommands() -> [Command]? {
        inbox.withLockedValue { inbox in
            defer { inbox.commands = [] }
            inbox.isRunning = !inbox.commands.isEmpty || !transfers.isEmpty
            return inbox.isRunning ? inbox.commands : nil
        }
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let transfer):
            do throws(HTTPFailure) {
                let active = try ActiveTransfer(transfer, configuration)
                guard unsafe curl_multi_add_handle(multi, active.handle) == CURLM_OK else {
                    throw .unreachable("libcurl cannot start a transfer")
                }
                transfers.append(active)
            } catch {
                transfer.end(.failure(error))
            }
        case .resume(let transfer):
            transfers.first { $0.transfer === transfer }?.resume()
        case .cancel(let transfer):
            if let active = transfers.first(where: { $0.transfer === transfer }) {
                finish(active, .failure(CancellationError()))
            }
        }
    }

    private func finishEnded() {
        var code = CURLE_OK
        while let handle = unsafe till_curl_next_ended(multi, &code) {
            guard let active = transfers.first(where: { unsafe $0.handle == handle }) else {
                assertionFailure("A transfer ended that had not been started.")
                continue
            }
            finish(active, active.result(of: code))
        }
    }

    private func finishIdle() {
        let now = ContinuousClock.now
        for active in transfers where active.idleDeadline.map({ $0 <= now }) == true {
            finish(active, .failure(HTTPFailure.connection("the server sent nothing for \(configuration.idleTimeout)")))
        }
    }

    private func finish(_ active: ActiveTransfer, _ result: Result<Void, any Error>) {
        unsafe curl_multi_remove_handle(multi, active.handle)
        transfers.removeAll { $0 === active }
        active.transfer.end(result)
    }

    /// The time until the next check in milliseconds, rounded up.
    private var pollTimeout: CInt {
        let deadline = transfers.compactMap(\.idleDeadline).min() ?? .now.advanced(by: Self.pollMaximum)
        let wait = max(.zero, min(ContinuousClock.now.duration(to: deadline), Self.pollMaximum))
        return CInt(wait / .milliseconds(1)) + 1
    }
}
