package import ProcessTesting

/// strace, which makes system calls of a daemon fail.
package struct Tracer: Sendable {
    package static let program = "/usr/bin/strace"

    /// The system call, and what is made of it: for example `fdatasync` and `error=EIO:when=1+`.
    package var call: String
    package var fault: String

    package init(call: String, fault: String) {
        self.call = call
        self.fault = fault
    }

    /// The arguments that come before those of the program to run, or before `-p`.
    package var options: [String] {
        ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "signal=none", "-e", "inject=\(call):\(fault)"]
    }

    /// Takes hold of a process that runs, until that ends.
    package func attach(to process: ChildProcess, at site: Site) throws -> ChildProcess {
        try site.start("strace", Self.program, options + ["-p", "\(process.processID)"], log: "programs.log")
    }
}
