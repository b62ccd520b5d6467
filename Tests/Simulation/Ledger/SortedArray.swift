/// Distinct elements in rising order; quick to append to at the end, where most are added.
struct SortedArray<Element: Comparable & Sendable>: Sendable {
    private(set) var elements: [Element] = []

    /// Adds the element, unless it is there already.
    mutating func insert(_ element: Element) {
        let index = position(after: { $0 < element })
        guard !holds(element, at: index) else {
            return
        }
        elements.insert(element, at: index)
    }

    /// Removes the element if it is there.
    mutating func remove(_ element: Element) {
        let index = position(after: { $0 < element })
        guard holds(element, at: index) else {
            return
        }
        elements.remove(at: index)
    }

    func contains(_ element: Element) -> Bool {
        holds(element, at: position(after: { $0 < element }))
    }

    /// The elements from the first on for which `isBefore` is false; it is true for none after that.
    func drop(while isBefore: (Element) -> Bool) -> ArraySlice<Element> {
        elements[position(after: isBefore)...]
    }

    /// The elements up to the first for which `isBefore` is false; it is true for none after that.
    func prefix(while isBefore: (Element) -> Bool) -> ArraySlice<Element> {
        elements[..<position(after: isBefore)]
    }

    private func holds(_ element: Element, at index: Int) -> Bool {
        index < elements.count && elements[index] == element
    }

    private func position(after isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = elements.count
        if let last = elements.last, isBefore(last) {
            return high
        }
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
