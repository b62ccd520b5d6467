import ArgumentParser
import TillModel

extension Till {
    /// Does what the process's arguments say and returns the exit status.
    package static func run(_ console: Console) async -> ExitStatus {
        guard let arguments = ProcessArguments.asText else {
            console.complain("till: An argument is not valid UTF-8. See till --help.")
            return .usage
        }
        return await run(arguments, console)
    }

    /// Does what the arguments say and returns the exit status.
    package static func run(_ arguments: [String], _ console: Console) async -> ExitStatus {
        do {
            let command = try parseAsRoot(arguments)
            guard let verb = command as? any Verb else {
                // The help command, or no verb.
                var command = command
                try command.run()
                return .done
            }
            try await verb.run(console)
            return .done
        } catch {
            return end(with: error, console)
        }
    }

    private static func end(with error: any Error, _ console: Console) -> ExitStatus {
        if let failure = error as? CommandFailure {
            failure.message.map(console.notice)
            return failure.status
        }
        if error is CancellationError {
            return .done
        }
        guard exitCode(for: error).isSuccess else {
            console.notice("\(message(for: error).asSentence) See till --help.")
            return .usage
        }
        // Help, or a completion script.
        do {
            try console.print(fullMessage(for: error))
            return .done
        } catch {
            return .outputFailed
        }
    }
}
