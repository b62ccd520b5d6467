import Glibc
import Testing
import TillModel
@testable import TillCommand

@Suite struct ExitStatusTests {
    @Test(arguments: [
        (code: TillError.Code.unavailable, status: TillCommand.ExitStatus.unreachable),
        (.deadlineExceeded, .unreachable),
        (.permissionDenied, .notPermitted),
        (.invalidArgument, .badData), (.alreadyExists, .badData), (.notFound, .badData),
        (.failedPrecondition, .badData),
        (.cancelled, .fault), (.unknown, .fault), (.internal, .fault), (.dataLoss, .fault), (.unimplemented, .fault),
        (.resourceExhausted, .fault), (TillError.Code(rawValue: 99), .fault),
    ])
    func everyCodeHasAStatus(code: TillError.Code, status: TillCommand.ExitStatus) {
        #expect(TillCommand.ExitStatus(code) == status)
        #expect(CommandFailure(TillError(code, "It failed."), socketPath: "/s").status == status)
    }

    @Test func theNumbersAreThoseOfTheManual() {
        #expect(TillCommand.ExitStatus.allCases.map(\.rawValue) == [0, 1, 64, 65, 69, 70, 74, 77, 130, 141, 143])
        #expect(TillCommand.ExitStatus.allCases.compactMap(\.signal) == [SIGINT, SIGPIPE, SIGTERM])
    }

    @Test(arguments: [
        (message: "the connection is closed", sentence: "The connection is closed."),
        (message: "It ended.", sentence: "It ended."),
    ])
    func messagesAreSentences(message: String, sentence: String) {
        #expect(CommandFailure(TillError(.unavailable, message), socketPath: "/s").message == sentence)
    }

    @Test func aTimeoutNamesTheSocket() {
        let failure = CommandFailure(TillError(.deadlineExceeded, "the call's deadline has passed"), socketPath: "/s")
        #expect(
            failure.message
                == "The daemon at /s did not answer in time; check that tilld is running, then try again."
        )
    }
}
