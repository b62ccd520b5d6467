package import TillEngine
package import TillInvariants

/// All that clients asked and were answered, with the places in the log as the clock.
package struct Answers: Sendable {
    /// One for each queue.
    package var histories: [History]

    /// - Throws: Also when a connection carries what no client or daemon says.
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

    /// What had been said when the power failed.
    package func histories(before place: Int) -> [History] {
        histories.map { history in
            var history = history
            history.entries = Array(history.entries.prefix { $0.at < place })
            return history
        }
    }

    /// Where a client is answered something.
    package var places: [Int] {
        histories.flatMap(\.entries).filter { $0.fact.isAnswer }.map { Int($0.at) }
    }
}

extension Fact {
    /// Whether it is the daemon's word.
    fileprivate var isAnswer: Bool {
        switch self {
        case .addIntended, .finishIntended, .observing: false
        default: true
        }
    }
}
