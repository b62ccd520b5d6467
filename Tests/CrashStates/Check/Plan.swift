/// Selects the disk states of a recording: the places at which the power fails, and the variants at each place.
package struct Plan: Sendable {
    package struct Item: Hashable, Sendable {
        package var place: Int
        package var variant: Variant
    }

    /// The items in order of their places.
    package let items: [Item]

    /// The variants without chance. The last one differs from the first only in when names are certain.
    private static let certain = [
        Variant(.flushed, .strict), Variant(.written, .strict), Variant(.flushed, .journal),
    ]

    /// Plans `count` states: first the variants without chance at every place. The rest are random variants at the
    /// places with unflushed changes, spread evenly over these places.
    ///
    /// If there are fewer states than variants without chance, a random sample of these is planned.
    package init(_ log: OperationLog, answers: Answers, states count: Int, seed: UInt64) {
        let places = Self.places(log, answers)
        let chance = Chance(seed: seed)
        var items: [Item] = []
        var open: [Int] = []
        var walk = DiskWalk(log)
        for place in places {
            walk.advance(to: place)
            if !walk.isSettled {
                open.append(place)
            }
        }
        let certain = places.flatMap { place in Self.certain.map { Item(place: place, variant: $0) } }
        if certain.count > count {
            items = Self.sample(certain, count / 2, chance)
        } else {
            items = certain
        }
        let kinds: [(Variant.Bytes, Variant.Names)] = [
            (.sectors(512), .strict), (.sectors(4096), .journal), (.sectors(4096), .strict), (.sectors(512), .journal),
        ]
        var number = 0
        while items.count < count, !open.isEmpty {
            let rest = count - items.count
            for place in rest < open.count ? Self.sample(open, rest, chance) : open {
                let kind = kinds[chance.below(kinds.count, place, number)]
                let seed = UInt64(chance.below(1 << 32, place, number, 1))
                // Sometimes all changes under way have also reached the disk.
                let isBegun = chance.below(16, place, number, 2) == 0
                items.append(Item(place: place, variant: Variant(isBegun ? .begun : kind.0, kind.1, seed: seed)))
            }
            number += 1
        }
        self.items = items.sorted { $0.place < $1.place }
    }

    /// The places after each change of the disk and after each answer to a client.
    package static func places(_ log: OperationLog, _ answers: Answers) -> [Int] {
        let changes = log.operations.compactMap { $0.end }.map { $0 + 1 }
        return Set(changes + answers.places.map { $0 + 1 }).sorted()
    }

    /// A random sample of `count` elements, in their original order.
    private static func sample<Element>(_ elements: [Element], _ count: Int, _ chance: Chance) -> [Element] {
        let order = elements.indices.sorted { chance.below(1 << 40, $0, -5) < chance.below(1 << 40, $1, -5) }
        return order.prefix(count).sorted().map { elements[$0] }
    }
}
