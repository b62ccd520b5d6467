package import TillEngine
package import TillInvariants

/// All requests and answers of all clients, with places in the log as their times.
package struct Answers: Sendable {
    /// One history for each queue.
    package var histories: [History]

    /// - Throws: An error if a connection carries bytes that are not the protocol's, too.
    package init(_ log: OperationLog) throws {
        var conversations: [Int: Conversation] = [:]
        for transfer in log.transfers {
            try conversations[transfer.connection, default: Conversation(number: transfer.connection)].read(transfer)
        }
        var entries: [QueueName: [FactEntry]] = [:]
        for conversation in conversations.values {
            if let queue = conversation.queue {
                entries[queue, default: []] += conversation.entries
            }
        }
        histories = entries.map { queue, entries in
            History(name: queue.application, queue: queue, entries: entries.sorted { $0.at < $1.at })
        }
        .sorted { $0.name < $1.name }
    }

    package var queues: [QueueName] {
        histories.map(\.queue)
    }

    /// The histories up to the loss of power at a place.
    package func histories(before place: Int) -> [History] {
        histories.map { history in
            var history = history
            history.entries = Array(history.entries.prefix { $0.at < place })
            return history
        }
    }

    /// The places at which a client receives an answer.
    package var places: [Int] {
        histories.flatMap(\.entries).filter { $0.fact.isAnswer }.map { Int($0.at) }
    }
}

extension Fact {
    /// Whether the fact is an answer of the daemon.
    fileprivate var isAnswer: Bool {
        switch self {
        case .addIntended, .finishIntended, .observing: false
        default: true
        }
    }
}
