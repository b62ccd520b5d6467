import ArgumentParser
import Foundation
import StripeConformance
import TillModel
import TillOutput
import TillStripe
import UnixSignals

@main struct StripeConformanceTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-stripe-conformance",
        abstract: "Compare Stripe's test mode with what Till relies on.",
        discussion: """
            The tests of Till use a stand-in for Stripe. This program makes the same checks at Stripe. It makes objects of \
            test mode, which move no money, and leaves them there. It sends at most 24 requests a second.

            Exit status: 0 nothing differs, 1 something differs, 64 wrong usage, 75 Stripe cannot be reached, 78 the key \
            is refused, 130 interrupted, 143 terminated.
            """
    )

    @Option(help: .init("Read the secret key of test mode from this file.", valueName: "path")) var keyFile: String?
    @Option(help: .init("Use the stand-in at this address.", valueName: "url")) var address = StripeAPI.address
    @Option(help: .init("Run this check; may be repeated.", valueName: "name")) var only: [String] = []
    @Option(help: .init("Wait so long for what Stripe does later.", valueName: "seconds")) var patience = 120
    @Flag(help: "List the checks, and what none covers.") var list = false
    @Flag(help: "Print one JSON object for each check.") var json = false

    func validate() throws {
        guard list || keyFile != nil else {
            throw ValidationError("--key-file is missing: name a file with a secret key of Stripe's test mode.")
        }
        guard (0...3600).contains(patience) else {
            throw ValidationError("Invalid --patience \(patience): use 0 to 3600.")
        }
        do throws(TillError) {
            try TestModeGate.check(address: address)
            _ = try ConformanceRun(named: only)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func run() async throws {
        let printer = Printer(json: json)
        let run = try ConformanceRun(named: only)
        guard !list, let keyFile else {
            return printer.list(run.checks)
        }
        let key = try refusing(EX_CONFIG) { () throws(TillError) in try TestModeGate.key(in: keyFile) }
        let end = await untilSignal { () async -> Result<ConformanceRun.Summary, TillError> in
            do throws(TillError) {
                let account = try await ConformanceAccount(at: address, key, patience: .seconds(patience))
                printer.begin(account, address)
                return .success(await run.run(at: account, printer.report))
            } catch {
                return .failure(error)
            }
        }
        if let signal = end.signal {
            printer.end((try? end.value.get()) ?? ConformanceRun.Summary(chosen: run.checks.count))
            throw ExitCode(signal == .sigterm ? 128 + SIGTERM : 128 + SIGINT)
        }
        let summary = try refusing { () throws(TillError) in try end.value.get() }
        printer.end(summary)
        if summary.differing > 0 {
            throw ExitCode(1)
        }
    }

    /// Ends the program with the message of an error.
    ///
    /// - Parameter status: The exit status; nil for that of the error's code.
    private func refusing<Value>(
        _ status: Int32? = nil,
        _ body: () throws(TillError) -> Value
    ) throws -> Value {
        do throws(TillError) {
            return try body()
        } catch {
            FileHandle.standardError.write(Data("Error: \(error.message)\n".utf8))
            throw ExitCode(status ?? (error.code == .unavailable ? EX_TEMPFAIL : EX_CONFIG))
        }
    }

    /// Runs a body, and cancels it at the first signal.
    private func untilSignal<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) async -> (value: Value, signal: UnixSignal?) {
        // Before the body begins, so that no signal ends the program without its summary.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return await withTaskGroup(of: UnixSignal?.self) { group in
            let work = Task { await body() }
            group.addTask {
                for await signal in signals {
                    work.cancel()
                    return signal
                }
                return nil
            }
            let value = await work.value
            group.cancelAll()
            return (value, await group.next() ?? nil)
        }
    }
}

/// Prints results as they come; the check that runs is shown on a terminal only.
private struct Printer: Sendable {
    let json: Bool
    private let isOnTerminal = isatty(STDERR_FILENO) == 1

    init(json: Bool) {
        self.json = json
    }

    func begin(_ account: ConformanceAccount, _ address: String) {
        guard !json else {
            return
        }
        write("Account \(account.id) at \(address), in test mode. All objects are test objects, and no money moves.")
    }

    func report(_ event: ConformanceRun.Event) {
        switch event {
        case .start(let check):
            show(check.sentence)
        case .end(let check, let differences):
            show("")
            print(CheckLine(check, differences))
        }
    }

    func end(_ summary: ConformanceRun.Summary) {
        show("")
        if !json {
            Check.notCovered.forEach { write("not covered: \($0)") }
        }
        print(SummaryLine(summary))
    }

    func list(_ checks: [Check]) {
        for check in checks {
            if json {
                write((try? JSONObject([("check", check.name), ("sentence", check.sentence)]).text()) ?? "")
            } else {
                write("\(check.name): \(check.sentence)")
            }
        }
        if !json {
            Check.notCovered.forEach { write("not covered: \($0)") }
        }
    }

    private func print(_ output: some Output) {
        let lines = json ? [(try? output.json.text()) ?? ""] : output.lines
        lines.forEach(write)
    }

    private func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Replaces the line of progress.
    private func show(_ text: String) {
        if isOnTerminal {
            FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
        }
    }
}
