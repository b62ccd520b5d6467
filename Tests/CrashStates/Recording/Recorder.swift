package import ContentServer
import Foundation
import Glibc
import ProcessTesting
import TillInvariants
import TillModel

/// Records real daemons at work. Each daemon's life ends by a kill or a stop, and the next daemon continues with its
/// files.
package struct Recorder {
    /// The duration of a daemon's life, from when it serves to its end.
    private static let lifeMilliseconds = 250...700
    private static let settlingLimit = Duration.seconds(90)

    private let site: Site
    private let directory: String
    private let seed: UInt64
    private let chance: Chance

    /// Records into a directory, which this creates.
    ///
    /// - Parameters:
    ///   - server: The server of the content.
    ///   - parent: The directory that has the daemon's state during the recording.
    package static func record(
        into directory: String,
        server: ContentServer,
        in parent: String,
        seed: UInt64
    ) async throws -> Recording {
        guard !FileManager.default.fileExists(atPath: directory) else {
            throw TraceError("\(directory) already has a failed recording of this seed: remove it first.")
        }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return try await Site.with(catalogue: Store.catalogue(), in: parent) { site in
            try Store.prepare(site, server)
            let recorder = Recorder(site: site, directory: directory, seed: seed, chance: Chance(seed: seed))
            return try await recorder.record()
        }
    }

    private func record() async throws -> Recording {
        var lives = 0
        var daemon = try await start(life: lives)
        let shopper = Shopper(socket: site.socket, seed: seed)
        let workers = try Store.applications.indices.map(startWorker)
        async let shopping: Void = shopper.run()
        for number in 0...1 {
            await Alarm.after(.milliseconds(moment(number)))
            try await end(daemon, by: chance.below(3, number) > 0 ? SIGKILL : SIGTERM, life: lives)
            lives += 1
            daemon = try await start(life: lives)
        }
        await Alarm.after(.milliseconds(moment(2)))
        shopper.settle()
        workers.forEach { $0.closeInput() }
        for worker in workers {
            let exit = await worker.exit(within: Self.settlingLimit)
            guard exit == .status(0) else {
                Self.kill(daemon)
                throw TraceError("\(worker.name) failed: it ended with \(exit).")
            }
        }
        await shopping
        try await end(daemon, by: SIGTERM, life: lives)
        let recording = try Recording(directory: directory, root: site.state, lives: lives + 1, seed: seed)
        try keepHistories()
        return recording
    }

    private func moment(_ number: Int) -> Int {
        Self.lifeMilliseconds.lowerBound + chance.below(Self.lifeMilliseconds.count, number, -6)
    }

    private func start(life: Int) async throws -> ChildProcess {
        let output = Recording.tracePath(life, in: directory)
        let daemon = try site.startDaemon(
            Store.daemonOptions,
            wrapper: ["/usr/bin/strace"] + Tracing.arguments(output: output)
        )
        try await site.waitUntilServing()
        return daemon
    }

    /// Kills the daemon that strace watches. strace itself continues.
    private static func kill(_ strace: ChildProcess) {
        if let daemon = try? Tracing.daemon(of: strace) {
            Glibc.kill(daemon, SIGKILL)
        }
    }

    private func end(_ daemon: ChildProcess, by signal: Int32, life: Int) async throws {
        Glibc.kill(try Tracing.daemon(of: daemon), signal)
        let exit = await daemon.exit()
        guard exit == .status(signal == SIGKILL ? Tracing.status(signal) : 0) else {
            throw TraceError("The daemon ended with \(exit): \(try site.log())")
        }
        try FileManager.default.copyItem(atPath: site.state, toPath: Recording.filesPath(life, in: directory))
    }

    private func startWorker(_ number: Int) throws -> ChildProcess {
        try site.start(
            "worker \(number)",
            Binaries.worker,
            [
                "--socket", site.socket, "--application", Store.applications[number],
                "--history", site.path("worker-\(number).jsonl"), "--seed", "\(seed &+ UInt64(number))",
            ],
            log: "worker-\(number).log"
        )
    }

    private func keepHistories() throws {
        for number in Store.applications.indices {
            let name = "worker-\(number).jsonl"
            try FileManager.default.copyItem(atPath: site.path(name), toPath: "\(directory)/\(name)")
        }
    }
}

extension Store {
    static let daemonOptions = ["--simulated-decline", declined]

    /// Writes the files that a daemon needs.
    static func prepare(_ site: Site, _ server: ContentServer) throws {
        try FileManager.default.createDirectory(
            atPath: site.state,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for (name, bytes) in served {
            // The server sends the content in pieces, so that a crash finds partial downloads.
            server.put(
                "/\(name)",
                ServedBytes(bytes),
                Reply {
                    $0.chunkBytes = 8_192; $0.pauseMilliseconds = 2
                }
            )
        }
        try manifest { server.address($0) }.write(to: URL(filePath: site.path("store.content.json")))
    }
}
