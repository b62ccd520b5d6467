import DequeModule

/// The owner of a job, and the part of the owner that the job belongs to.
struct JobShare: Hashable, Sendable {
    var owner = ""
    /// One of the owner's applications, for example.
    var part = ""
}

/// Jobs that wait for a slot, and how the slots are shared.
///
/// A part of an owner starts a job only while it holds fewer slots than are free, and an owner only while all of its parts
/// together hold fewer than ``ownerFactor`` times as many. So a lone part has at most half of the slots, n busy parts leave
/// one slot in n + 1 free, and a part that was idle finds one at once. Owners take turns, and so do their parts.
struct SharedSlots<Job: Sendable>: Sendable {
    /// With 7, an owner has at most seven eighths of the slots.
    static var ownerFactor: Int { 7 }

    fileprivate struct Owner: Sendable {
        var held = 0
        var heldByPart: [String: Int] = [:]
        var waiting: [String: Deque<Job>] = [:]
        /// The parts that have jobs waiting, the next to take its turn first.
        var order: Deque<String> = []
    }

    let count: Int
    private(set) var waitingCount = 0
    private var held = 0
    private var owners: [String: Owner] = [:]
    /// The owners that have jobs waiting, the next to take its turn first.
    private var order: Deque<String> = []

    init(count: Int) {
        self.count = count
    }

    mutating func add(_ job: Job, of share: JobShare) {
        var owner = owners.removeValue(forKey: share.owner) ?? Owner()
        if owner.order.isEmpty {
            order.append(share.owner)
        }
        if owner.waiting[share.part] == nil {
            owner.order.append(share.part)
        }
        owner.waiting[share.part, default: []].append(job)
        owners[share.owner] = owner
        waitingCount += 1
    }

    /// The jobs that may start now. Each holds a slot until ``end(_:)``.
    mutating func take() -> [Job] {
        var taken: [Job] = []
        while let job = takeNext() {
            taken.append(job)
        }
        return taken
    }

    /// Releases the slot of a job.
    mutating func end(_ share: JobShare) {
        guard var owner = owners.removeValue(forKey: share.owner) else {
            return
        }
        held -= 1
        owner.held -= 1
        let left = (owner.heldByPart[share.part] ?? 0) - 1
        owner.heldByPart[share.part] = left > 0 ? left : nil
        if owner.held > 0 || !owner.order.isEmpty {
            owners[share.owner] = owner
        }
    }

    private mutating func takeNext() -> Job? {
        let free = count - held
        guard free > 0 else {
            return nil
        }
        for _ in order.indices {
            let name = order.removeFirst()
            guard var owner = owners.removeValue(forKey: name) else {
                continue
            }
            let job = owner.takeNext(free: free)
            if !owner.order.isEmpty {
                order.append(name)
            }
            owners[name] = owner
            if let job {
                held += 1
                waitingCount -= 1
                return job
            }
        }
        return nil
    }
}

extension SharedSlots.Owner {
    fileprivate mutating func takeNext(free: Int) -> Job? {
        guard held < SharedSlots.ownerFactor * free else {
            return nil
        }
        for _ in order.indices {
            let part = order.removeFirst()
            guard heldByPart[part, default: 0] < free, let job = waiting[part]?.popFirst() else {
                order.append(part)
                continue
            }
            if waiting[part]?.isEmpty == true {
                waiting[part] = nil
            } else {
                order.append(part)
            }
            held += 1
            heldByPart[part, default: 0] += 1
            return job
        }
        return nil
    }
}
