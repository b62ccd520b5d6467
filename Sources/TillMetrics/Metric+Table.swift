import TillModel

/// The table of all metrics, in the order in which they are written.
extension Metric {
    package static let all: [Metric] = daemon + commits + provider + store + server + process

    /// Upper bounds for durations of commits: from a fast disk's flush to one that stalls.
    static let commitSeconds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Upper bounds for durations of provider calls, which are given up after 15 seconds.
    static let callSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
    /// Upper bounds for the number of commands in a commit, which is at most 1000.
    static let commandCounts: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

    static let daemon = [
        buildInfo, serving, droppedRecords, ledgerReadFailures,
    ]
    package static let buildInfo = Metric(
        "till_build_info",
        .gauge,
        labels: [Label("version", TillVersion.text)],
        "Always 1; the label is the version of the daemon."
    )
    package static let serving = Metric(
        "till_serving",
        .gauge,
        "Whether commands are accepted: 0 while the daemon stops or a flush of the disk takes too long."
    )
    package static let droppedRecords = Metric(
        "till_metrics_dropped_total",
        .counter,
        "Records of metrics or label values that are not in this table."
    )
    package static let ledgerReadFailures = Metric(
        "till_ledger_read_failures_total",
        .counter,
        "Reads of the ledger's figures that failed, so that these figures are missing."
    )

    static let commits = [
        commitCommands, commitDuration, waitingCommands, refusedCommands, prunedTransactions,
    ]
    package static let commitCommands = Metric(
        "till_commit_commands",
        .histogram(commandCounts),
        "Commands in each commit; the count is the number of commits, the sum that of commands."
    )
    package static let commitDuration = Metric(
        "till_commit_duration_seconds",
        .histogram(commitSeconds),
        unit: .seconds,
        "Time of each commit from its begin until it is durable."
    )
    package static let waitingCommands = Metric(
        "till_commands_waiting",
        .gauge,
        "Commands that wait for a commit."
    )
    package static let refusedCommands = Metric(
        "till_commands_refused_total",
        .counter,
        labels: [Label("reason", CommandRefusal.self)],
        "Commands that were refused before anything was stored."
    )
    package static let prunedTransactions = Metric(
        "till_transactions_pruned_total",
        .counter,
        "Finished transactions whose receipts and histories were removed, as `retention` says."
    )

    static let provider = [providerCalls, providerCallDuration]
    package static let providerCalls = Metric(
        "till_provider_calls_total",
        .counter,
        labels: [Label("call", ProviderMethod.self), Label("outcome", ProviderOutcome.self)],
        "Calls of the payment provider that ended, with their outcome."
    )
    package static let providerCallDuration = Metric(
        "till_provider_call_duration_seconds",
        .histogram(callSeconds),
        unit: .seconds,
        labels: [Label("call", ProviderMethod.self)],
        "Time of each call of the payment provider."
    )
}

/// Figures that are read when they are asked for.
extension Metric {
    static let store = [
        unfinished, oldestUnfinished, needsReview, dueWork, activeDownloads, attachedAgents, ledgerSize, ledgerLogSize,
        diskFree, diskSize, certificateEnd,
    ]
    package static let unfinished = Metric(
        "till_transactions_unfinished",
        .gauge,
        labels: [Label("waits_for", UnfinishedWait.self)],
        "Transactions that are not finished, by what they wait for."
    )
    package static let oldestUnfinished = Metric(
        "till_oldest_unfinished_age_seconds",
        .gauge,
        unit: .seconds,
        labels: [Label("waits_for", UnfinishedWait.self)],
        "Age of the oldest transaction that is not finished; 0 if there is none."
    )
    package static let needsReview = Metric(
        "till_needs_review",
        .gauge,
        labels: [Label("kind", ReviewedWork.self)],
        "Charges and refunds with an unknown outcome that an operator has to find out."
    )
    package static let dueWork = Metric(
        "till_due_work",
        .gauge,
        labels: [Label("kind", DueWork.self)],
        "Work of the daemon that is due and not done."
    )
    package static let activeDownloads = Metric(
        "till_downloads_active",
        .gauge,
        "Downloads of hosted content under way."
    )
    package static let attachedAgents = Metric(
        "till_agents_attached",
        .gauge,
        "Authorisation agents that watch for requests."
    )
    package static let ledgerSize = Metric(
        "till_ledger_size_bytes",
        .gauge,
        unit: .bytes,
        "Size of the ledger's file."
    )
    package static let ledgerLogSize = Metric(
        "till_ledger_log_size_bytes",
        .gauge,
        unit: .bytes,
        "Size of the ledger's write-ahead log."
    )
    package static let diskFree = Metric(
        "till_disk_free_bytes",
        .gauge,
        unit: .bytes,
        "Bytes that the daemon may still write to the disk of its state directory."
    )
    package static let diskSize = Metric(
        "till_disk_size_bytes",
        .gauge,
        unit: .bytes,
        "Size of the disk of the state directory."
    )
    package static let certificateEnd = Metric(
        "till_receipt_certificate_end_timestamp_seconds",
        .gauge,
        unit: .seconds,
        "Unix time at which the certificate that signs receipts ends, by the store's clock."
    )
}

/// The socket's server and the process.
extension Metric {
    static let server = [
        connections, streams, frameBytes, refusedConnections, requests, refusedRequests,
    ]
    package static let connections = Metric(
        "till_rpc_connections",
        .gauge,
        "Open connections to the socket."
    )
    package static let streams = Metric(
        "till_rpc_streams",
        .gauge,
        "Calls whose handlers are running."
    )
    package static let frameBytes = Metric(
        "till_rpc_frame_bytes",
        .gauge,
        unit: .bytes,
        "Bytes of frames that are arriving or whose handlers are running."
    )
    package static let refusedConnections = Metric(
        "till_rpc_connections_refused_total",
        .counter,
        "Connections that were closed at once because a limit was reached."
    )
    package static let requests = Metric(
        "till_rpc_requests_total",
        .counter,
        "Requests that arrived, including refused ones."
    )
    package static let refusedRequests = Metric(
        "till_rpc_requests_refused_total",
        .counter,
        "Requests that were refused because a limit was reached."
    )

    /// The names are those of Prometheus's own client libraries
    /// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
    static let process = [
        processorTime, openFiles, openFilesMaximum, residentMemory, startTime,
    ]
    package static let processorTime = Metric(
        "process_cpu_seconds_total",
        .counter,
        unit: .seconds,
        "Processor time of the daemon, in user and system mode."
    )
    package static let openFiles = Metric(
        "process_open_fds",
        .gauge,
        "Open file descriptors."
    )
    package static let openFilesMaximum = Metric(
        "process_max_fds",
        .gauge,
        "The limit of open file descriptors."
    )
    package static let residentMemory = Metric(
        "process_resident_memory_bytes",
        .gauge,
        unit: .bytes,
        "Resident memory of the daemon."
    )
    package static let startTime = Metric(
        "process_start_time_seconds",
        .gauge,
        unit: .seconds,
        "Unix time at which the daemon started."
    )
}
