public import Foundation
import TillModel

/// The domain of ``SKTestError``
/// (https://developer.apple.com/documentation/storekittest/sktesterrordomain).
public let SKTestErrorDomain = "SKTestErrorDomain"

/// The error of a session (https://developer.apple.com/documentation/storekittest/sktesterror).
public struct SKTestError: Error, Hashable, Sendable {
    /// The error code (https://developer.apple.com/documentation/storekittest/sktesterror/code).
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// The session's server was killed, does not answer, or could not be started.
        case serviceUnavailable = 0
        /// The configuration file has no such product.
        case invalidProductIdentifier = 1
        /// The product is not an auto-renewable subscription.
        case invalidProductType = 2
        /// The URL is not a file URL.
        case invalidURL = 3
        /// The file does not exist.
        case fileNotFound = 4
        /// The product has no subscription.
        case noSubscriptionFound = 5
        /// The session has no such transaction.
        case noTransactionFound = 6
        /// The state of the transaction or subscription does not allow the action.
        case invalidAction = 7
    }

    public var code: Code
    /// One sentence for people; do not parse it.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates an error with the message of the dictionary's `NSLocalizedDescriptionKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "The session refused with \(code).")
    }

    /// Converts an error of the session's engine or a file to an error of the session.
    init(_ error: any Error) {
        switch error {
        case let error as SKTestError: self = error
        case let error as TillError: self.init(Self.code(error.code), error.message)
        default: self.init(.serviceUnavailable, "\(error)")
        }
    }

    private static func code(_ code: TillError.Code) -> Code {
        switch code {
        case .notFound: .noTransactionFound
        case .invalidArgument, .failedPrecondition, .alreadyExists: .invalidAction
        default: .serviceUnavailable
        }
    }
}

extension SKTestError: CustomNSError, LocalizedError {
    public static var errorDomain: String {
        SKTestErrorDomain
    }

    public var errorCode: Int {
        code.rawValue
    }

    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: message]
    }

    public var errorDescription: String? {
        message
    }
}

extension SKTestError {
    public static var serviceUnavailable: Code { .serviceUnavailable }
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    public static var invalidProductType: Code { .invalidProductType }
    public static var invalidURL: Code { .invalidURL }
    public static var fileNotFound: Code { .fileNotFound }
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    public static var noTransactionFound: Code { .noTransactionFound }
    public static var invalidAction: Code { .invalidAction }
}

extension SKTestError.Code {
    /// Lets `catch SKTestError.noTransactionFound` match errors with this code.
    public static func ~= (code: SKTestError.Code, error: any Error) -> Bool {
        (error as? SKTestError)?.code == code
    }
}
