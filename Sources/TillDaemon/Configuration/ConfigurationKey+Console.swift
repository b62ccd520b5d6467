import TillModel

/// The keys of the operator page.
extension ConfigurationKey {
    static let console = Section(
        title: "Operator page",
        keys: [
            ConfigurationKey(
                "console.address",
                .text,
                valueName: "address",
                help: "Serve the operator page here.",
                details: """
                    It is an address of this machine as `127.0.0.1:8481` or `[::1]:8481`, or the path of a Unix socket as \
                    `unix:/run/till/console.sock`, to which a port can be forwarded. `till console` invites operators. \
                    Without this key, the daemon listens at nothing but its socket.
                    """
            ) { configuration, texts throws(TillError) in
                let text = texts.first ?? ""
                guard let address = LocalAddress(text) else {
                    throw .invalid("console.address", text, use: LocalAddress.rule)
                }
                configuration.consoleAddress = address
            }
        ]
    )
}
