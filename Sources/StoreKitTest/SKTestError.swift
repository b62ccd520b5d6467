public import Foundation
import TillModel

/// The domain of ``SKTestError``
/// (https://developer.apple.com/documentation/storekittest/sktesterrordomain).
public let SKTestErrorDomain = "SKTestErrorDomain"

/// What a session could not do
/// (https://developer.apple.com/documentation/storekittest/sktesterror).
public struct SKTestError: Error, Hashable, Sendable {
    /// Why (https://developer.apple.com/documentation/storekittest/sktesterror/code).
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// The session's server was killed, does not answer, or could not be set up.
        case serviceUnavailable = 0
        /// The configuration file has no such product.
        case invalidProductIdentifier = 1
        /// The product is no auto-renewable subscription.
        case invalidProductType = 2
        /// The address is no file's.
        case invalidURL = 3
        /// There is no such file.
        case fileNotFound = 4
        /// Nobody is subscribed to the product.
        case noSubscriptionFound = 5
        /// The session has no such transaction.
        case noTransactionFound = 6
        /// The transaction or subscription is not in a state for it.
        case invalidAction = 7
    }

    public var code: Code
    /// One sentence for people; nobody parses it.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error that says what the dictionary's `NSLocalizedDescriptionKey` says.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "The session refused with \(code).")
    }

    /// What a session's engine or a file says, as an error of the session.
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
    /// Has `catch SKTestError.noTransactionFound` catch what it says.
    public static func ~= (code: SKTestError.Code, error: any Error) -> Bool {
        (error as? SKTestError)?.code == code
    }
}
