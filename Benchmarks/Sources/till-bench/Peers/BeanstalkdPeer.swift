import FoundationEssentials

struct BeanstalkdPeer: Peer {
    let name = "beanstalkd"
    let scenarios: Set<Scenario> = [.adds]
    let programs = [Program("beanstalkd", package: "beanstalkd")]

    func promise(in scenario: Scenario) -> String {
        "answers once the job is flushed to its log on disk (-f 0)"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("beanstalkd.sock")
        let arguments = ["-f", "0", "-b", run.state.path, "-l", "unix:\(socket)"]
        try run.serve(Command(try run.path(of: "beanstalkd"), arguments))
        return try run.load("beanstalk-put", at: socket)
    }
}
