# What a developer does with the repository; `make` lists it.
# Every target does the set-up that it needs, so that each works in a fresh clone.

# The Debian packages that the build, the tests and the generator of C need.
packages := libarchive-dev libcurl4-openssl-dev libprotobuf-c-dev libprotobuf-dev libsqlite3-dev pkg-config protobuf-c-compiler strace
# Those of the Go client that proves the wire, and of the Python that proves the receipts.
interop_packages := golang-go golang-github-containerd-ttrpc-dev gogoprotobuf protobuf-compiler python3-venv

# A module may import only what its target names in Package.swift. That warnings are errors is said there, too: as a flag
# here, it would make `swift build` and `make` compile everything again after each other.
checked := --explicit-target-dependency-import-check error
build := swift build --build-tests $(checked)
# Swift Testing alone: XCTest's own leaks would fail the leak check, and there are no tests of it.
test := swift test --disable-xctest

# A simulated schedule is the same in every process only where sets have the same order in every process.
export SWIFT_DETERMINISTIC_HASHING := 1

generated := Sources/CTTRPCMessages Sources/CTillMessages Tests/CCodecFixtures

.PHONY: help setup build programs portable install demo scenarios test test-sanitizers lint proto proto-check interop consumers clean
.PHONY: fault-tools isolation secrets restores kills soak io-faults clock-jumps start-races simulate crash-states fuzz attack
.PHONY: starvation mutants trust trust-nightly trust-release trust-tier bench

help: ## List the targets (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Check for the toolchain and Debian packages, and install what is missing
	@.ci/setup $(packages)

build: setup ## Build everything, tests too
	$(build)

# The programs carry Swift's libraries with them, which makes them start sooner, in less memory, on machines without Swift.
portable := swift build --configuration release --static-swift-stdlib --scratch-path .build/portable
PREFIX ?= /usr/local

portable: setup ## Build tilld and till for machines without Swift
	$(portable) --product tilld
	$(portable) --product till

install: ## Install what `make portable` has built, with a service of systemd (PREFIX=, DESTDIR=)
	Sources/tilld/Deployment/install .build/portable/release $(PREFIX)

# The programs alone: the tests would take several times as long to build.
programs: setup ## Build tilld, till and till-example
	@test -d .build/debug || echo "Building tilld, till and till-example: the first build takes some minutes."
	@set -e; for product in tilld till till-example; do swift build --product $$product $(checked); done

demo: programs ## Show a purchase, crashes, a restore and the books that agree
	@Sources/till-example/demo.sh "$$(swift build --show-bin-path)"

scenarios: programs ## Show the rules of buying, command by command
	@Sources/till-example/scenarios.sh "$$(swift build --show-bin-path)"

process_tests := ProcessTests|ScenarioTests
# These block threads of Swift's pool, as StoreKit's synchronous calls do, or use them up, as reading all sources and
# simulating do; tests of the same process would starve.
lone_tests := StoreKitTestTests StoreKitTests TidyTests TillSimulationTests FuzzTests
# These keep all processors busy, so that the processes of other tests would be late.
greedy_tests := HostilePeerTests FaultRunTests KillTests SecrecyTests IsolationTests InterleavingTests AuditMutationTests \
    RestoreRoundTests CallTimesTests
# A test that never ends fails after these seconds, many times what any line below takes.
bounded := timeout --foreground --signal INT --kill-after 60 1200 $(test) --skip-build
no_others := $(subst $() ,|,$(process_tests) $(lone_tests))

# The tests that start, kill and time processes come alone, so that they need not share the processors with the others.
# Few enough tests run at a time that none waits for seconds for its turn, as a client's limit for a connection would.
# TILL_CATALOGUES names a directory of .storekit files for the scenarios to run over, instead of the repository's own;
# TILL_RESTORE_PURCHASES is the size of the largest restore, for a slow machine.
test: build ## Run all tests
	$(bounded) --experimental-maximum-parallelization-width 16 --skip "$(no_others)"
	$(bounded) --experimental-maximum-parallelization-width 4 --filter "$(process_tests)" \
	    --skip "$(subst $() ,|,$(greedy_tests))"
	set -e; for tests in $(greedy_tests); do $(bounded) --filter "\.$$tests/"; done
	set -e; for tests in $(lone_tests); do $(bounded) --filter "$$tests\."; done

# Other processes, and the form of files, are nothing for a sanitizer.
sanitized := --skip "$(process_tests)|StoreKitTestTests" --skip TidyTests

test-sanitizers: setup ## Run the tests with the address and then the thread sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks:print_suppressions=0 \
	    $(test) --sanitize=address --scratch-path .build/address $(sanitized)
	$(test) --sanitize=thread --scratch-path .build/thread $(sanitized)

isolation: N ?= 100000
isolation: build ## Have strangers call at random, N times: none gets a byte of another's (needs root)
	TILL_INTERLEAVINGS=$(N) $(test) --skip-build --filter "IsolationTests|InterleavingTests"

secrets: N ?= 100
secrets: build ## Crash a daemon full of secrets N times, and look for them in all that it has put out
	TILL_TRAPS=$(N) $(test) --skip-build --filter "SecrecyTests"

restores: N ?= 10000
restores: KILLS ?= 500
restores: build ## Restore N times right after finishes, and KILLS times with a kill of the daemon at each end
	TILL_RESTORE_ROUNDS=$(N) TILL_RESTORE_KILLS=$(KILLS) $(test) --skip-build --filter "RestoreRoundTests"

# Schedules to simulate, from the seed FIRST on, JOBS at a time; REPLAY=seed shows what happens in one.
SEEDS ?= 50000
FIRST ?= 1
JOBS ?= 2
simulate: setup ## Run SEEDS simulated schedules with crashes, power loss and a hostile provider and network
	swift build -c release --product till-simulate
	"$$(swift build -c release --show-bin-path)/till-simulate" \
	    $(if $(REPLAY),--replay $(REPLAY),--first $(FIRST) --seeds $(SEEDS) --jobs $(JOBS))

# SEED=N repeats the choices of a run; what is recorded has a timing of its own, and is kept when it fails.
crash-states: N ?= 20000
crash-states: setup ## Record daemons at work, and check N disks that losses of power would leave of that
	@.ci/setup strace
	set -e; for tool in tilld till-test-worker till-crash-states; do \
	    swift build -c $(CONFIGURATION) --product $$tool; done
	"$$(swift build -c $(CONFIGURATION) --show-bin-path)/till-crash-states" --states $(N) $(fault_options)

lint: ## Check the form of Swift, scripts and man pages
	swift format lint --strict --recursive --parallel Package.swift Sources Tests \
	    Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Peers
	git grep -lE '^#!/(usr/)?bin/(env )?(ba)?sh' -- ':!*.md' | xargs -n 1 bash -n
	if command -v systemd-analyze >/dev/null; then Sources/tilld/Deployment/verify; fi
	if command -v mandoc >/dev/null; then git ls-files '*.[1578]' | xargs -r mandoc -T lint -W warning; fi

proto: setup ## Generate the C of the protocol's messages
	Proto/generate.sh

proto-check: proto ## Prove that the committed C is what the protocol says
	git diff --exit-code -- $(generated)
	test -z "$$(git status --porcelain -- $(generated))"

interop: build ## Have others' libraries talk to the daemon and verify its receipts
	@.ci/setup $(interop_packages)
	Tests/Interop/run "$$(swift build --show-bin-path)"
	Tests/Interop/receipts
	Tests/Interop/daemon-receipts "$$(swift build --show-bin-path)"

consumers: build ## Build applications' own packages against StoreKit, and run one against a daemon
	Tests/Consumers/run "$$(swift build --show-bin-path)"

# Real daemons and applications that are made to fail; CONFIGURATION=debug builds sooner and runs slower, and SEED=N
# repeats a run.
CONFIGURATION ?= release
faults = "$$(swift build -c $(CONFIGURATION) --show-bin-path)/till-faults"
fault_options = $(if $(SEED),--seed $(SEED))

fault-tools: setup
	@.ci/setup strace
	set -e; for tool in tilld till-test-worker till-faults; do swift build -c $(CONFIGURATION) --product $$tool; done

N ?= 1000
kills: fault-tools ## Kill daemons and applications N times, and check what is left
	$(faults) kills --rounds $(N) $(fault_options)

RUNS ?= 500
io-faults: fault-tools ## Make RUNS system calls of daemons fail, one after another
	$(faults) io-faults --runs $(RUNS) $(fault_options)

clock-jumps: fault-tools ## Set the wall clock N times while daemons work and are killed
	$(faults) clock-jumps --jumps $(N) $(fault_options)

start-races: fault-tools ## Start daemons at once N times, and after a kill with very many payments
	$(faults) start-races --races $(N) $(fault_options)

MINUTES ?= 10
soak: fault-tools ## Work for MINUTES with a fault every ten seconds, and check at every rest
	$(faults) soak --minutes $(MINUTES) $(fault_options)

# TARGET is one of Tests/FuzzTests/Corpus; JOBS, how many processes share it.
SECONDS ?= 60
JOBS ?= 1

fuzz: setup ## Fuzz the readers of bytes from outside, each for SECONDS (TARGET=, JOBS=)
	@Tests/FuzzTests/run $(SECONDS) "$(TARGET)" $(JOBS)

release := swift build --configuration release
attack := $(release) --product tilld && $(release) --product till-attack && "$$($(release) --show-bin-path)/till-attack"

attack: setup ## Attack a daemon for SECONDS, and watch its memory and what decoding costs
	$(attack) decode
	$(attack) memory --seconds $(SECONDS)

starvation: setup ## Attack a daemon as one user for SECONDS, and time the payments of another (as root)
	$(attack) starvation --seconds $(SECONDS)
	$(attack) starvation --seconds $(SECONDS) --attack slow-charges --purchases --limit-milliseconds 1000

mutants: setup ## Show that each planted fault is found by the harness that is meant for it
	@.ci/setup strace
	Tests/Mutants/run

# What every change has to pass besides the tests, with the programs that the tests were built with.
debug_bin = "$$(swift build --show-bin-path)"

trust: build ## Put the promises to the test, as for each change (at most 15 minutes on two cores)
	@.ci/setup strace
	$(debug_bin)/till-simulate --seeds 8000 --jobs 2
	$(debug_bin)/till-crash-states --states 1500
	$(debug_bin)/till-faults kills --rounds 100
	$(debug_bin)/till-faults io-faults --runs 60
	$(debug_bin)/till-faults clock-jumps --jumps 30
	$(debug_bin)/till-faults start-races --races 10

trust-nightly: ## The same and more, for a night on two cores
	$(MAKE) trust-tier SCHEDULES=1000000 STATES=200000 KILLS=5000 IO_FAULTS=5000 TIMES=200 \
	    ATTACK_SECONDS=600 FUZZ_SECONDS=1800 SOAK_MINUTES=120

trust-release: ## All that a release has to pass; two days on two cores
	$(MAKE) trust-tier SCHEDULES=10000000 STATES=1000000 KILLS=100000 IO_FAULTS=10000 TIMES=1000 \
	    ATTACK_SECONDS=3600 FUZZ_SECONDS=7200 SOAK_MINUTES=1440

trust-tier:
	$(MAKE) simulate SEEDS=$(SCHEDULES)
	$(MAKE) crash-states N=$(STATES)
	$(MAKE) kills N=$(KILLS)
	$(MAKE) io-faults RUNS=$(IO_FAULTS)
	$(MAKE) clock-jumps start-races N=$(TIMES)
	$(MAKE) isolation secrets
	$(MAKE) attack starvation SECONDS=$(ATTACK_SECONDS)
	$(MAKE) fuzz SECONDS=$(FUZZ_SECONDS)
	$(MAKE) mutants
	$(MAKE) soak MINUTES=$(SOAK_MINUTES)

# The Debian packages of each peer; grpc-swift comes as source, and floor and sqlite are here.
bench_redis := redis-server
bench_postgresql := postgresql-15
bench_beanstalkd := beanstalkd
bench_nats := nats-server
bench_dbus := dbus-daemon
bench_go-ttrpc := golang-go golang-github-containerd-ttrpc-dev gogoprotobuf protobuf-compiler
bench_go-ttrpc-go := $(bench_go-ttrpc)

# PEERS and SCENARIOS are names with commas between them; BENCH_OPTIONS, more of till-bench's (--help lists them).
PEERS ?= all
SCENARIOS ?= all
comma := ,
bench_peers = $(subst $(comma), ,$(PEERS:all=redis,postgresql,beanstalkd,nats,dbus,go-ttrpc,grpc-swift))
bench_programs = $(filter go-ttrpc grpc-swift,$(bench_peers:go-ttrpc-go=go-ttrpc))
bench_build := swift build --package-path Benchmarks --configuration release
bench_bin = "$$($(bench_build) --show-bin-path)"

bench: SECONDS = 2
bench: setup ## Measure Till beside its peers, each run for SECONDS (PEERS=none for Till alone, SCENARIOS=adds,echo)
	$(release) --product tilld
	$(bench_build)
	Benchmarks/Peers/install $(sort $(foreach peer,$(bench_peers),$(bench_$(peer))))
	Benchmarks/Peers/build $(bench_bin) $(bench_programs)
	$(bench_bin)/till-bench --tilld "$$($(release) --show-bin-path)/tilld" --disk Benchmarks/.build \
	    --peers "$(PEERS)" --scenario "$(SCENARIOS)" --seconds $(SECONDS) $(BENCH_OPTIONS)

clean: ## Remove everything that was built
	rm -rf .build Benchmarks/.build
