/// The methods of a service, by their names.
package protocol ServiceMethod: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    static var service: String { get }
}

/// The full name of a method.
package struct MethodPath: Hashable, Sendable {
    package let service: String
    package let method: String

    package init<Method: ServiceMethod>(_ method: Method) {
        service = Method.service
        self.method = method.rawValue
    }
}

/// A request that is answered with one message, which its type determines.
package protocol UnaryRequest: WireMessage {
    associatedtype Response: WireMessage
}

/// The request of one method.
package protocol Call: UnaryRequest {
    static var path: MethodPath { get }
}

/// The request of several methods that all answer alike.
package protocol SharedCall: UnaryRequest {
    associatedtype Method: ServiceMethod
}

/// The request of a method that answers with a stream.
package protocol StreamingCall: WireMessage {
    associatedtype Element: WireMessage

    static var path: MethodPath { get }
}
