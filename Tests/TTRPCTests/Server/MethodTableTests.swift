import NIOConcurrencyHelpers
import Testing

@testable import TTRPC

@Suite struct MethodTableTests {
    @Test func aHandlerIsMadeForEachCallAndOnlyThen() throws {
        let made = NIOLockedValueBox<[String]>([])
        let methods = MethodTable { service, method in
            made.withLockedValue { $0.append("\(service)/\(method)") }
            return service == "test.Echo" ? .immediate { request in request + Array(method.utf8) } : nil
        }
        #expect(made.withLockedValue { $0 } == [])
        #expect(try answer(of: methods, "test.Echo", "A") == Array("?A".utf8))
        #expect(try answer(of: methods, "test.Echo", "B") == Array("?B".utf8))
        #expect(try answer(of: methods, "test.Other", "A") == nil)
        #expect(made.withLockedValue { $0 } == ["test.Echo/A", "test.Echo/B", "test.Other/A"])
    }

    @Test func aHandlerThatWasSetHasPriorityOverLookup() throws {
        var methods = MethodTable { _, _ in .immediate { _ in [1] } }
        methods["test.Echo", "A"] = .immediate { _ in [2] }
        #expect(try answer(of: methods, "test.Echo", "A") == [2])
        #expect(try answer(of: methods, "test.Echo", "B") == [1])
    }

    private func answer(of methods: MethodTable, _ service: String, _ method: String) throws -> [UInt8]? {
        guard case .immediate(let body) = methods[service, method] else {
            return nil
        }
        return try body(Array("?".utf8))
    }
}
