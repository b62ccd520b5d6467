public import TillModel

/// Things that the daemon keeps, fetched page by page while they are read.
public struct PagedList<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = TillError

    /// The page that a token names, nil for the first, and the token of the next one, nil after the last.
    typealias Fetch = @Sendable (UInt64?) async throws(TillError) -> (elements: [Element], next: UInt64?)

    let fetch: Fetch

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(fetch: fetch)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let fetch: Fetch
        private var token: UInt64?
        private var isAtEnd = false
        private var page: ArraySlice<Element> = []

        init(fetch: @escaping Fetch) {
            self.fetch = fetch
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> Element? {
            while page.isEmpty, !isAtEnd {
                let (elements, next) = try await fetch(token)
                page = elements[...]
                token = next
                isAtEnd = next == nil
            }
            return page.popFirst()
        }

        public mutating func next() async throws(TillError) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}
