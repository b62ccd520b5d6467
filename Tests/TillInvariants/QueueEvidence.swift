import FoundationEssentials
import TillEngine
import TillModel

/// All evidence of one queue, which is sorted once for all checks.
struct QueueEvidence {
    let histories: [History]
    let books: Books.Queue
    private(set) var rows: [UUID: TransactionRecord] = [:]
    private(set) var sequences: [ObservedSequence] = []
    private(set) var intents: [UUID: PaymentNote] = [:]
    /// Answers to adds, with their times.
    private(set) var acknowledged: [(at: UInt64, sighting: Sighting)] = []
    /// The status codes of refused adds.
    private(set) var refused: [UUID: UInt32] = [:]
    private(set) var finishIntendedAt: [UUID: UInt64] = [:]
    private(set) var finishes: [Finish] = []
    private(set) var finishedDownloads: Set<DownloadNote> = []
    /// Higher prices that were agreed to, by the subscription's first payment.
    private(set) var agreedPrices: [UUID: Set<Price>] = [:]
    /// Operators' acts that the daemon confirmed.
    private(set) var acts: [(act: Act, identity: UUID?)] = []
    /// The earliest time at which a process knew its transaction: the first acknowledgement or delivery.
    private(set) var knownSince: [UUID: UInt64] = [:]

    /// An answered finish.
    struct Finish {
        var id: UUID
        var at: UInt64
        var history: Int
        var run: Int
    }

    /// An operator's act, as the audit log names it.
    struct Act: Hashable {
        var action: String
        var subject: String
    }

    init(histories: [History], books: Books.Queue) {
        self.histories = histories
        self.books = books
        rows = Dictionary(books.transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (number, history) in histories.enumerated() {
            read(history, number: number)
        }
    }

    /// All sightings: answers, deliveries, and the rows themselves.
    var sightings: [Sighting] {
        acknowledged.map(\.sighting) + sequences.flatMap { $0.sightings.map(\.sighting) }
            + books.transactions.map { Sighting($0.transaction(identifiedBy: books.numbering)) }
    }

    /// The identity of the added payment to which this transaction goes back. A transaction that continues another has
    /// an identity of its own.
    func origin(of id: UUID) -> UUID {
        var origin = id
        while let earlier = rows[origin]?.continues {
            origin = earlier
        }
        return origin
    }

    private mutating func read(_ history: History, number: Int) {
        var open: [Int: Int] = [:]
        var run = 0
        for entry in history.entries {
            if entry.run != run {
                run = entry.run
                open = [:]
            }
            if case .observing(let sequence) = entry.fact {
                open[sequence] = sequences.count
                sequences.append(
                    ObservedSequence(
                        name: "\(history.name), run \(run), sequence \(sequence)",
                        history: number,
                        run: run,
                        startedAt: entry.at
                    )
                )
            } else if let (sequence, item) = entry.fact.observed, let index = open[sequence] {
                sequences[index].append(item, at: entry.at)
                if case .delivered(let sighting, _) = item {
                    know(sighting.id, at: entry.at)
                }
            } else {
                read(entry, history: number)
            }
        }
    }

    private mutating func read(_ entry: FactEntry, history: Int) {
        switch entry.fact {
        case .addIntended(let payment):
            intents[payment.id] = intents[payment.id] ?? payment
        case .addAcknowledged(let sighting):
            acknowledged.append((entry.at, sighting))
            know(sighting.id, at: entry.at)
        case .addRefused(let id, let code):
            refused[id] = code
        case .finishIntended(let id):
            finishIntendedAt[id] = min(finishIntendedAt[id] ?? .max, entry.at)
        case .finishAcknowledged(let id):
            finishes.append(Finish(id: id, at: entry.at, history: history, run: entry.run))
        case .priceAgreed(let payment, let amount, let currency):
            agreedPrices[payment, default: []].insert(Price(minorUnits: amount, currency: currency))
        case .downloadFinished(let download):
            finishedDownloads.insert(download)
        case .actAnswered(let action, let subject, let identity):
            acts.append((Act(action: action, subject: subject), identity))
        default:
            break
        }
    }

    private mutating func know(_ id: UUID, at time: UInt64) {
        knownSince[id] = min(knownSince[id] ?? .max, time)
    }
}

extension Fact {
    /// The delivered item and the number of its sequence; nil for other facts.
    fileprivate var observed: (sequence: Int, item: ObservedSequence.Item)? {
        switch self {
        case .delivered(let sequence, let asked, let sighting): (sequence, .delivered(sighting, asked: asked))
        case .removed(let sequence, let sighting): (sequence, .removed(sighting))
        case .initialDeliveryEnded(let sequence): (sequence, .initialDeliveryEnded)
        case .restoreEnded(let sequence, let restore, let count): (sequence, .restoreEnded(restore, count: count))
        default: nil
        }
    }
}
