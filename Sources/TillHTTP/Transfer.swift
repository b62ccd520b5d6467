import NIOConcurrencyHelpers
import NIOCore

/// One request and its response, between the loop that receives it and the task that reads it.
final class Transfer: Sendable {
    /// The maximum number of received bytes that are not yet read. Beyond it, the transfer pauses until the reader has
    /// caught up.
    static let bufferedBytesMaximum = 256 * 1024

    struct Head: Sendable {
        var status: Int
        var headers: HTTPHeaders
    }

    private struct State {
        var head: Head?
        var chunks: CircularBuffer<ByteBuffer> = []
        var bufferedBytes = 0
        var isPaused = false
        /// The result of the transfer; nil while more may arrive.
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Void, Never>?
    }

    let request: HTTPRequest
    private let loop: TransferLoop
    private let state = NIOLockedValueBox(State())

    init(_ request: HTTPRequest, loop: TransferLoop) {
        self.request = request
        self.loop = loop
    }
}

// The loop calls these methods.
extension Transfer {
    func receive(_ head: Head) {
        update { $0.head = head }
    }

    /// - Returns: False if there is no room. The transfer is paused then, and the bytes were not taken.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isFull = state.withLockedValue { state in
            state.isPaused = state.bufferedBytes >= Self.bufferedBytesMaximum
            return state.isPaused
        }
        guard !isFull else {
            return false
        }
        let chunk = unsafe ByteBuffer(bytes: bytes)
        update { state in
            state.chunks.append(chunk)
            state.bufferedBytes += chunk.readableBytes
        }
        return true
    }

    /// Ends the response, unless it has ended before.
    func end(_ result: Result<Void, any Error>) {
        update { $0.end = $0.end ?? result }
    }

    var isPaused: Bool {
        state.withLockedValue { $0.isPaused }
    }

    private func update(_ change: (inout State) -> Void) {
        let reader = state.withLockedValue { state in
            change(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}

// The reader calls these methods.
extension Transfer {
    func head() async throws -> Head {
        await untilTrue { $0.head != nil || $0.end != nil }
        return try state.withLockedValue { state in
            if let head = state.head {
                return head
            }
            try state.end?.get()
            throw HTTPFailure.connection("the server closed the connection without a response")
        }
    }

    /// Returns the next bytes, or nil at the end. A failure follows all bytes that arrived before it.
    func next() async throws -> ByteBuffer? {
        await untilTrue { !$0.chunks.isEmpty || $0.end != nil }
        let chunk = try state.withLockedValue { state in
            guard let chunk = state.chunks.popFirst() else {
                try state.end?.get()
                return ByteBuffer?.none
            }
            state.bufferedBytes -= chunk.readableBytes
            return chunk
        }
        if mustResume() {
            loop.send(.resume(self))
        }
        return chunk
    }

    private func mustResume() -> Bool {
        state.withLockedValue { state in
            guard state.isPaused, state.chunks.isEmpty else {
                return false
            }
            state.isPaused = false
            return true
        }
    }

    /// Stops the transfer if it has not ended.
    func cancel() {
        let isUnderWay = state.withLockedValue { $0.end == nil }
        if isUnderWay {
            end(.failure(CancellationError()))
            loop.send(.cancel(self))
        }
    }

    /// Waits for a change that makes the condition true. Cancelling the task ends the transfer.
    private func untilTrue(_ condition: @Sendable (State) -> Bool) async {
        await withTaskCancellationHandler {
            while !state.withLockedValue({ condition($0) }) {
                await withCheckedContinuation { reader in
                    let isTrue = state.withLockedValue { state in
                        let isTrue = condition(state)
                        state.reader = isTrue ? nil : reader
                        return isTrue
                    }
                    if isTrue {
                        reader.resume()
                    }
                }
            }
        } onCancel: {
            cancel()
        }
    }
}
