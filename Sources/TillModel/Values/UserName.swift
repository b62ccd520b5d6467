extension String {
    /// The name of a user who is known by a user ID: `uid:1000`, or `uid:1000@kiosk-1` for a user of one host.
    ///
    /// - Parameter host: The name of the user's host; nil if that is not told apart.
    package init(user uid: UInt32, host: String?) {
        self = "uid:\(uid)" + (host.map { "@" + $0 } ?? "")
    }
}
