# The tasks of a developer; `make` lists them. Every target does the set-up that it needs, so each works in a fresh clone.

# Debian packages for the build, the tests and the generators of C and Swift.
packages := libarchive-dev libcurl4-openssl-dev libpq-dev libprotobuf-c-dev libprotobuf-dev libsqlite3-dev libssl-dev \
    pkg-config protobuf-c-compiler python3 strace
# Debian packages for the clients in Go and Python that check the wire, and for the Python that checks the receipts.
interop_packages := golang-go golang-github-containerd-ttrpc-dev gogoprotobuf protobuf-compiler python3-venv

# A module may import only what its target names in Package.swift. Package.swift also makes warnings errors. A flag here would
# make `swift build` and `make` recompile everything after each other.
checked := --explicit-target-dependency-import-check error
build := swift build --build-tests $(checked)
# Swift Testing alone: there are no XCTest tests, and XCTest's own leaks would fail the leak check.
test := swift test --disable-xctest

# A simulated schedule is the same in every process only if sets have the same order in every process.
export SWIFT_DETERMINISTIC_HASHING := 1

# The browser of payers and operators, and what drives it.
browser_packages := chromium chromium-driver curl python3-selenium

generated := Sources/CTTRPCMessages Sources/CTillMessages Sources/TillWire/Generated Tests/CCodecFixtures

.PHONY: help setup build programs portable install deb deb-test demo scenarios test test-sanitizers lint pages proto proto-check interop
.PHONY: python-client monitoring docs consumers clean
.PHONY: failovers host-kills host-pauses host-partitions migrate-check sql-finish fault-tools isolation secrets restores backups kills soak io-faults clock-jumps start-races simulate crash-states fuzz attack
.PHONY: starvation test-console hosts-demo stripe stripe-demo stripe-live-test mutants trust trust-nightly trust-release trust-tier bench bench-programs

help: ## List the targets (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Check for the toolchain and Debian packages, and install what is missing
	@.ci/setup $(packages)

build: setup ## Build everything, including tests
	$(build)

# The programs contain Swift's libraries: they run on machines without Swift, start sooner and need less memory.
portable := swift build --configuration release --static-swift-stdlib --scratch-path .build/portable
PREFIX ?= /usr/local

portable: setup ## Build tilld and till for machines without Swift
	$(portable) --product tilld
	$(portable) --product till

install: ## Install the programs of `make portable`, with a systemd service (PREFIX=, DESTDIR=)
	Sources/tilld/Deployment/install .build/portable/release $(PREFIX)

# REVISION is Debian's: a package with a higher one replaces a package of the same version.
REVISION ?= 1

deb: portable ## Build Debian packages of tilld and till in .build/deb (REVISION=)
	@.ci/setup debhelper dpkg-dev
	Sources/tilld/Deployment/deb .build/portable/release .build/deb $(REVISION)

deb-test: portable ## Install, use, upgrade and purge the packages in a container with systemd (needs root)
	@.ci/setup debhelper dpkg-dev lintian debootstrap systemd-container $(browser_packages)
	Tests/Packages/run .build/portable/release

# The programs alone: the tests would take several times as long to build.
programs: setup ## Build tilld, till and till-example
	@test -d .build/debug || echo "Building tilld, till and till-example: the first build takes about five minutes on two processors."
	@set -e; for product in tilld till till-example; do swift build --product $$product $(checked); done

demo: programs ## Show a purchase, crashes, a restore and matching books
	@Sources/till-example/demo.sh "$$(swift build --show-bin-path)"

scenarios: programs ## Show the rules of buying, command by command
	@Sources/till-example/scenarios.sh "$$(swift build --show-bin-path)"

# Screenshots stay in the folder of the built programs.
test-console: programs ## Drive the operator page in headless Chromium, and check it for accessibility
	@.ci/setup $(browser_packages) python3-venv
	@Tests/Console/run "$$(swift build --show-bin-path)"

hosts-demo: programs ## Show three daemons with one ledger in PostgreSQL: deaths of a host and of the primary, a finish by SQL
	@.ci/setup-without-services postgresql-15
	@.ci/setup curl
	@swift build --product till-stripe-stand-in $(checked)
	@Sources/till-example/hosts-demo.sh "$$(swift build --show-bin-path)" Tests/PostgresCluster/run

stripe-demo: programs ## Show purchases on a stand-in's payment pages, in headless Chromium: declines, a refund, a dispute
	@.ci/setup $(browser_packages)
	@swift build --product till-stripe-stand-in $(checked)
	@Sources/till-example/stripe-demo.sh "$$(swift build --show-bin-path)"

process_tests := ProcessTests|ScenarioTests|StripeStandInTests|StripeConformanceTests|ReversalRunTests
# These suites block threads of Swift's pool (StoreKit's synchronous calls) or keep all of them busy (reading all sources,
# simulating). Other tests in the same process would starve.
lone_tests := StoreKitTestTests StoreKitTests TidyTests TillSimulationTests FuzzTests
# These suites keep all processors busy, so the processes of other tests would be late.
greedy_tests := HostilePeerTests FaultRunTests KillTests StripeKillTests SecrecyTests IsolationTests InterleavingTests AuditMutationTests \
    StripeSecrecyTests RestoreRoundTests CallTimesTests HostKillTests HostPauseTests HostPartitionTests
# A test that hangs fails after these seconds, many times the duration of any line below.
bounded := timeout --foreground --signal INT --kill-after 60 1200 $(test) --skip-build
no_others := $(subst $() ,|,$(process_tests) $(lone_tests))

# Tests that start, kill and time processes run separately, so that they do not share the processors with the others.
# Few tests run at a time, so that none waits for its turn as long as a client's time-out for a connection.
# TILL_CATALOGUES names a directory of .storekit files for the scenarios, instead of the repository's own;
# TILL_RESTORE_PURCHASES is the size of the largest restore, for a slow machine.
test: build ## Run all tests
	@.ci/setup-without-services postgresql-15 iproute2
	$(bounded) --experimental-maximum-parallelization-width 16 --skip "$(no_others)"
	$(bounded) --experimental-maximum-parallelization-width 4 --filter "$(process_tests)" \
	    --skip "$(subst $() ,|,$(greedy_tests))"
	set -e; for tests in $(greedy_tests); do $(bounded) --filter "\.$$tests/"; done
	set -e; for tests in $(lone_tests); do $(bounded) --filter "$$tests\."; done

# A sanitizer cannot see other processes, and has no use for checks of files.
sanitized := --skip "$(process_tests)|StoreKitTestTests" --skip TidyTests

test-sanitizers: setup ## Run the tests with the address and then the thread sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks:print_suppressions=0 \
	    $(test) --sanitize=address --scratch-path .build/address $(sanitized)
	$(test) --sanitize=thread --scratch-path .build/thread $(sanitized)

isolation: N ?= 100000
isolation: build ## Let strangers call at random, N times, and check that none gets foreign bytes (needs root)
	TILL_INTERLEAVINGS=$(N) $(test) --skip-build --filter "IsolationTests|InterleavingTests"

failovers: N ?= 200
failovers: build ## Crash a ledger's PostgreSQL server N times under load, and let its standby take over
	TILL_FAILOVER_ROUNDS=$(N) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter PostgresFailoverRunTests

migrate-check: N ?= 100
migrate-check: build ## Move a ledger of 100,000 payments to PostgreSQL and back N times, each time killed at a random moment
	@.ci/setup-without-services postgresql-15
	TILL_MIGRATION_KILLS=$(N) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter MigrationRunTests

host-kills host-pauses: SITES ?= 12
host-kills: N ?= 100
host-kills: build ## Kill and pause three hosts that share a ledger in N rounds at SITES sites, and while they download
	@.ci/setup-without-services postgresql-15
	TILL_HOST_ROUNDS=$(N) TILL_HOST_SITES=$(SITES) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter HostKillTests

host-pauses: N ?= 1000
host-pauses: build ## Pause hosts that share a ledger N times for 1 to 30 s, at SITES sites at once
	@.ci/setup-without-services postgresql-15
	TILL_HOST_PAUSES=$(N) TILL_HOST_SITES=$(SITES) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter HostPauseTests

host-partitions: N ?= 100
host-partitions: build ## Cut N times the link between a host and its database, for up to 15 s (needs root)
	@.ci/setup-without-services postgresql-15 iproute2
	TILL_HOST_PARTITIONS=$(N) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter HostPartitionTests

sql-finish: N ?= 10000
sql-finish: build ## Finish purchases in the ledger's database N times, while applications, daemons and servers are killed
	@.ci/setup-without-services postgresql-15
	TILL_SQL_FINISHES=$(N) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter DatabaseFinishRunTests

secrets: N ?= 100
secrets: build ## Crash a daemon full of secrets N times, and search all its outputs for them
	TILL_TRAPS=$(N) $(test) --skip-build --filter "SecrecyTests"

restores: N ?= 10000
restores: KILLS ?= 500
restores: build ## Restore N times right after finishes, and KILLS times with a kill of the daemon at each end
	TILL_RESTORE_ROUNDS=$(N) TILL_RESTORE_KILLS=$(KILLS) $(test) --skip-build --filter "RestoreRoundTests"

backups: N ?= 100
backups: CUSTOMERS ?= 8
backups: KILLS ?= 60
backups: build ## Back up a daemon N times while CUSTOMERS buy, examine each backup, and kill KILLS restores
	TILL_BACKUP_DRILLS=$(N) TILL_BACKUP_CUSTOMERS=$(CUSTOMERS) TILL_BACKUP_KILLS=$(KILLS) $(test) --skip-build \
	    --filter "BackupDrillTests|BackupInterruptionTests"

# SEEDS schedules of HOSTS daemons with one ledger, from the seed FIRST on, JOBS at a time; REPLAY=seed shows the events of one.
HOSTS ?= 1
SEEDS ?= 50000
FIRST ?= 1
JOBS ?= 2
simulate: setup ## Run SEEDS simulated schedules with crashes, power loss, a hostile provider and network
	swift build -c release --product till-simulate
	"$$(swift build -c release --show-bin-path)/till-simulate" \
	    --hosts $(HOSTS) $(if $(REPLAY),--replay $(REPLAY),--first $(FIRST) --seeds $(SEEDS) --jobs $(JOBS))

# SEED=N repeats the choices of a run. The recording has its own timing, and is kept when it fails.
crash-states: N ?= 20000
crash-states: setup ## Record daemons at work, and check N disks that losses of power could leave
	@.ci/setup strace
	set -e; for tool in tilld till-test-worker till-crash-states; do \
	    swift build -c $(CONFIGURATION) --product $$tool; done
	"$$(swift build -c $(CONFIGURATION) --show-bin-path)/till-crash-states" --states $(N) $(fault_options)

lint: ## Check the form of Swift, scripts and manual pages
	swift format lint --strict --recursive --parallel Package.swift Sources Tests \
	    Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Peers
	git grep -lE '^#!/(usr/)?bin/(env )?(ba)?sh' -- ':!*.md' | xargs -n 1 bash -n
	if command -v systemd-analyze >/dev/null; then Sources/tilld/Deployment/verify; fi
	if command -v mandoc >/dev/null; then git ls-files '*.[1578]' | xargs -r mandoc -T lint -W warning; fi

pages: build ## Write configuration keys and metrics into the manual page and the documentation
	TILL_WRITE_PAGES=1 $(test) --skip-build --filter "ConfigurationKeyTests|MetricTableTests"

monitoring_files := Sources/tilld/Deployment/Monitoring
monitoring: build ## Check the alert rules, the dashboard and the text of the metrics
	@.ci/setup prometheus
	promtool check rules $(monitoring_files)/till-alerts.yml
	promtool test rules $(monitoring_files)/till-alerts-test.yml
	set -e; text=$$(mktemp); trap 'rm -f "$$text"' EXIT; \
	    TILL_METRICS_TEXT=$$text $(test) --skip-build --filter "MonitoringFilesTests|MetricsReportTests"; \
	    promtool check metrics <"$$text"

docs: setup ## Build the documentation as a site in .build/docs
	Documentation/build .build/docs

proto: setup ## Generate C and Swift from the protocol's messages
	Proto/generate.sh

proto-check: proto ## Check that the committed C and Swift match the protocol
	git diff --exit-code -- $(generated)
	test -z "$$(git status --porcelain -- $(generated))"

python-client: build ## Let the client in Python talk to the daemon and to broken peers
	@.ci/setup protobuf-compiler python3-protobuf python3-psycopg2
	@.ci/setup-without-services postgresql-15
	Tests/Interop/python "$$(swift build --show-bin-path)"

interop: python-client ## Let other libraries talk to the daemon and verify its receipts
	@.ci/setup $(interop_packages)
	Tests/Interop/run "$$(swift build --show-bin-path)"
	Tests/Interop/receipts
	Tests/Interop/daemon-receipts "$$(swift build --show-bin-path)"

consumers: build ## Build packages of applications against StoreKit, and run one against a daemon
	Tests/Consumers/run "$$(swift build --show-bin-path)"

# Real daemons and applications that are made to fail. CONFIGURATION=debug builds faster and runs slower; SEED=N repeats a
# run.
CONFIGURATION ?= release
faults = "$$(swift build -c $(CONFIGURATION) --show-bin-path)/till-faults"
fault_options = $(if $(SEED),--seed $(SEED))

fault-tools: setup
	@.ci/setup strace
	set -e; for tool in tilld till-test-worker till-faults; do swift build -c $(CONFIGURATION) --product $$tool; done

N ?= 1000
ifeq ($(PROVIDER),stripe)
kills: build
	TILL_STRIPE_KILL_ROUNDS=$(N) $(if $(SEED),TILL_TEST_SEED=$(SEED)) $(test) --skip-build --filter StripeKillTests
else
kills: fault-tools ## Kill daemons and applications N times, and check the remains (PROVIDER=stripe: with a stand-in for Stripe)
	$(faults) kills --rounds $(N) $(fault_options)
endif

stripe_processes := StripeDaemonTests|StripeSubscriptionTests|StripeWebhookTests|StripeGateTests

stripe: build ## Test the provider for Stripe, and its stand-in
	$(test) --skip-build --filter "TillStripeTests|StripeStandInTests|StripeConformanceTests|$(stripe_processes)"

# KEY_FILE has a secret key of test mode, which is never printed. For a trial, ADDRESS is that of a stand-in. CONFORMANCE_OPTIONS
# are further options of till-stripe-conformance (--help lists them).
stripe-live-test: ## Compare Stripe's test mode with what Till relies on (KEY_FILE=path, ADDRESS=)
	@test -n "$(KEY_FILE)" || { echo "KEY_FILE is missing: name a file with a secret key of Stripe's test mode." >&2; exit 64; }
	@.ci/setup $(packages)
	@swift build --product till-stripe-conformance $(checked) >&2
	@"$$(swift build --show-bin-path)/till-stripe-conformance" --key-file "$(KEY_FILE)" \
	    $(if $(ADDRESS),--address "$(ADDRESS)") $(CONFORMANCE_OPTIONS)

RUNS ?= 500
io-faults: fault-tools ## Make RUNS system calls of daemons fail, one after another
	$(faults) io-faults --runs $(RUNS) $(fault_options)

clock-jumps: fault-tools ## Move the wall clock N times while daemons work and are killed
	$(faults) clock-jumps --jumps $(N) $(fault_options)

start-races: fault-tools ## Start several daemons at once N times, and one after a kill with many payments
	$(faults) start-races --races $(N) $(fault_options)

MINUTES ?= 10
soak: fault-tools ## Work for MINUTES with a fault every ten seconds, and check at every pause
	$(faults) soak --minutes $(MINUTES) $(fault_options)

# TARGET is a name in Tests/FuzzTests/Corpus; JOBS is the number of processes for each target.
SECONDS ?= 60
JOBS ?= 1

fuzz: setup ## Fuzz the readers of foreign bytes, each for SECONDS (TARGET=, JOBS=)
	@Tests/FuzzTests/run $(SECONDS) "$(TARGET)" $(JOBS)

release := swift build --configuration release
attack := $(release) --product tilld && $(release) --product till-attack && "$$($(release) --show-bin-path)/till-attack"

attack: setup ## Attack a daemon for SECONDS, and watch its memory and the cost of decoding
	$(attack) decode
	$(attack) memory --seconds $(SECONDS)

starvation: setup ## Attack a daemon as one user for SECONDS, and time another user's payments (as root)
	$(attack) starvation --seconds $(SECONDS)
	$(attack) starvation --seconds $(SECONDS) --attack slow-charges --purchases --limit-milliseconds 1000

mutants: setup ## Show that the intended harness finds each planted fault
	@.ci/setup strace
	@.ci/setup-without-services postgresql-15
	Tests/Mutants/run

# Every change must pass this besides the tests. It uses the programs that were built with the tests.
debug_bin = "$$(swift build --show-bin-path)"

trust: build ## Test the promises, as for each change (at most 15 minutes on two cores)
	@.ci/setup strace
	$(debug_bin)/till-simulate --seeds 6000 --jobs 2
	$(debug_bin)/till-simulate --seeds 1000 --jobs 2 --hosts 3
	$(debug_bin)/till-crash-states --states 1200
	$(debug_bin)/till-faults kills --rounds 80
	$(debug_bin)/till-faults io-faults --runs 60
	$(debug_bin)/till-faults clock-jumps --jumps 30
	$(debug_bin)/till-faults start-races --races 10

trust-nightly: ## Test the promises for a night on two cores
	$(MAKE) trust-tier SCHEDULES=1000000 HOST_SCHEDULES=100000 STATES=200000 KILLS=5000 HOST_ROUNDS=5000 IO_FAULTS=5000 TIMES=200 \
	    ATTACK_SECONDS=600 FUZZ_SECONDS=1800 SOAK_MINUTES=120

trust-release: ## Run everything that a release must pass; two days on two cores
	$(MAKE) trust-tier SCHEDULES=10000000 HOST_SCHEDULES=1000000 STATES=1000000 KILLS=100000 HOST_ROUNDS=20000 IO_FAULTS=10000 TIMES=1000 \
	    ATTACK_SECONDS=3600 FUZZ_SECONDS=7200 SOAK_MINUTES=1440

trust-tier:
	$(MAKE) simulate SEEDS=$(SCHEDULES)
	$(MAKE) simulate SEEDS=$(HOST_SCHEDULES) HOSTS=3
	$(MAKE) crash-states N=$(STATES)
	$(MAKE) kills N=$(KILLS)
	$(MAKE) io-faults RUNS=$(IO_FAULTS)
	$(MAKE) clock-jumps start-races N=$(TIMES)
	$(MAKE) host-kills N=$(HOST_ROUNDS)
	$(MAKE) failovers migrate-check sql-finish host-pauses host-partitions N=$(TIMES)
	$(MAKE) isolation secrets
	$(MAKE) attack starvation SECONDS=$(ATTACK_SECONDS)
	$(MAKE) fuzz SECONDS=$(FUZZ_SECONDS)
	$(MAKE) mutants
	$(MAKE) soak MINUTES=$(SOAK_MINUTES)

# The Debian packages of each peer. grpc-swift comes as source; floor and sqlite are part of this repository.
bench_redis := redis-server
bench_postgresql := postgresql-15
bench_beanstalkd := beanstalkd
bench_nats := nats-server
bench_dbus := dbus-daemon
bench_go-ttrpc := golang-go golang-github-containerd-ttrpc-dev gogoprotobuf protobuf-compiler
bench_go-ttrpc-go := $(bench_go-ttrpc)

# PEERS and SCENARIOS are names separated by commas. BENCH_OPTIONS are further options of till-bench (--help lists them).
PEERS ?= all
SCENARIOS ?= all
comma := ,
bench_peers = $(subst $(comma), ,$(PEERS:all=redis,postgresql,beanstalkd,nats,dbus,go-ttrpc,grpc-swift))
bench_programs = $(filter go-ttrpc grpc-swift,$(bench_peers:go-ttrpc-go=go-ttrpc))
bench_build := swift build --package-path Benchmarks --configuration release
bench_bin = "$$($(bench_build) --show-bin-path)"

bench-programs: setup ## Build the programs of `make bench`
	$(bench_build)

bench: SECONDS = 2
bench: bench-programs ## Measure Till beside its peers, each run for SECONDS (PEERS=none for Till alone, SCENARIOS=adds,echo)
	set -e; for product in tilld till-stripe-stand-in; do $(release) --product $$product; done
	.ci/setup-without-services $(sort $(foreach peer,$(bench_peers),$(bench_$(peer))))
	Benchmarks/Peers/build $(bench_bin) $(bench_programs)
	$(bench_bin)/till-bench --tilld "$$($(release) --show-bin-path)/tilld" --disk Benchmarks/.build \
	    --peers "$(PEERS)" --scenario "$(SCENARIOS)" --seconds $(SECONDS) $(BENCH_OPTIONS)

clean: ## Remove all build products
	rm -rf .build Benchmarks/.build
