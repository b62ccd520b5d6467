import Foundation
import TTRPC
import TillModel
import TillWire

/// A connection of a probe, with all bytes that it received.
struct ProbeConnection {
    let client: TTRPCClient
    /// Whether to print each call's method and code.
    var prints = true
    private(set) var received: [UInt8] = []

    init(client: TTRPCClient, prints: Bool = true) {
        self.client = client
        self.prints = prints
    }

    mutating func call(_ method: ProbeMethod) async {
        if method.streams {
            await stream(method)
        } else {
            await unary(method)
        }
    }

    mutating func takeReceived() -> [UInt8] {
        defer { received = [] }
        return received
    }

    private mutating func unary(_ method: ProbeMethod) async {
        do throws(RPCError) {
            received += try await client.unary(method.service, method.method, method.request)
            note(method, "OK")
        } catch {
            received += Array(error.message.utf8)
            note(method, "\(error.code)")
        }
    }

    /// Reads a stream to its end, or until only a new event would continue it.
    private mutating func stream(_ method: ProbeMethod) async {
        let isObserver = method.method == PaymentQueueMethod.observe.rawValue
        let messages = client.serverStreaming(
            method.service,
            method.method,
            method.request,
            timeout: isObserver ? .seconds(30) : .milliseconds(300)
        )
        do {
            for try await message in messages {
                received += message
                if isObserver, try EventBatch(wire: message).events.contains(.initialDeliveryEnded) {
                    break
                }
            }
            note(method, "OK")
        } catch let error as RPCError {
            received += Array(error.message.utf8)
            note(method, error.code == .deadlineExceeded ? "OK" : "\(error.code)")
        } catch {
            note(method, "UNREADABLE")
        }
    }

    private func note(_ method: ProbeMethod, _ code: String) {
        if prints {
            // This writes at once, because the process that waits for the received bytes reads this too.
            FileHandle.standardOutput.write(Data("\(method.service)/\(method.method) \(code)\n".utf8))
        }
    }
}
