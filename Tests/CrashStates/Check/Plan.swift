/// Which disk states of a recording are made: at which places the power fails, and in which ways.
package struct Plan: Sendable {
    package struct Item: Hashable, Sendable {
        package var place: Int
        package var variant: Variant
    }

    /// By place.
    package let items: [Item]

    /// The ways that leave nothing to chance; the last two differ only by when names are certain.
    private static let certain = [
        Variant(.flushed, .strict), Variant(.written, .strict), Variant(.flushed, .journal),
    ]

    /// Plans so many states: first at every place those that leave nothing to chance, then others where there is
    /// something that is not flushed, and as many at each as there is room for.
    ///
    /// With fewer states than places, chance chooses the places.
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
                // Now and then all that was under way has happened as well.
                let isBegun = chance.below(16, place, number, 2) == 0
                items.append(Item(place: place, variant: Variant(isBegun ? .begun : kind.0, kind.1, seed: seed)))
            }
            number += 1
        }
        self.items = items.sorted { $0.place < $1.place }
    }

    /// Behind everything that changes the disk or what clients know.
    package static func places(_ log: OperationLog, _ answers: Answers) -> [Int] {
        let changes = log.operations.compactMap { $0.end }.map { $0 + 1 }
        return Set(changes + answers.places.map { $0 + 1 }).sorted()
    }

    /// As many elements as wanted, in their order.
    private static func sample<Element>(_ elements: [Element], _ count: Int, _ chance: Chance) -> [Element] {
        let order = elements.indices.sorted { chance.below(1 << 40, $0, -5) < chance.below(1 << 40, $1, -5) }
        return order.prefix(count).sorted().map { elements[$0] }
    }
}
