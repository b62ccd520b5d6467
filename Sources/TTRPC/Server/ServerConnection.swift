import NIOCore

/// The part of a server connection outside its event loop: the task that runs its calls.
struct ServerConnection: Sendable {
    let id: UInt64
    let mailbox: LoopMailbox<ServerItem>
    let acceptedContinuation: AsyncStream<[AcceptedCall]>.Continuation
    /// Runs the connection's calls.
    let executor: LoopExecutor

    private let accepted: AsyncStream<[AcceptedCall]>

    init(id: UInt64, streamsMaximum: Int, eventLoop: any EventLoop) {
        self.id = id
        mailbox = LoopMailbox(eventLoop: eventLoop)
        executor = LoopExecutor(eventLoop)
        (accepted, acceptedContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(streamsMaximum))
    }

    /// Runs each call in a child task until the connection is closed and all calls have returned.
    ///
    /// Cancelling the task closes the connection, and closing the connection cancels its calls.
    func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await batch in accepted {
                    for call in batch {
                        group.addImmediateTask { await call.perform(reportingTo: mailbox) }
                    }
                }
                group.cancelAll()
            }
        } onCancel: {
            close()
        }
    }

    /// Closes the connection at once.
    func close() {
        _ = mailbox.post(.close)
    }
}
