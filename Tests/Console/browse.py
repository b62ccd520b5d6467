"""Uses the operator page as an operator does, in headless Chromium, against a real daemon.

usage: browse.py FOLDER_WITH_PROGRAMS EMPTY_FOLDER FOLDER_FOR_SCREENSHOTS

Each step prints what it shows. The first that is wrong ends the run with its reason, and a screenshot of it.
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time

from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

try:
    import axe_core_python
except ImportError:
    # It is not among Debian's packages.
    axe_core_python = None

SECONDS = 20
APPLICATION = "org.example.shop"
COINS = "org.example.shop.coins10"
HOSTILE = "<img src=x onerror=document.title='hacked'>"
DESKTOP, PHONE = (1280, 900), (390, 844)
VIEWS = ["overview", "transactions", "applications", "sales", "requests", "books", "audit", "store"]


def fail(reason):
    raise AssertionError(reason)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Daemon:
    """A daemon of its own, and the command line."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TILL_")},
            "TILL_SOCKET": f"{folder}/till.sock",
            "TILL_APPLICATION": APPLICATION,
        }
        catalogue = pathlib.Path(__file__).parents[2] / "Sources/till-example/Shop.storekit"
        self.process = subprocess.Popen(
            [
                f"{programs}/tilld", "--catalogue", catalogue, "--state", f"{folder}/state", "--log-level", "error",
                "--requests-per-second", "0", "--console-address", f"127.0.0.1:{free_port()}",
            ],
            env=self.environment,
        )
        end = time.monotonic() + SECONDS
        while self.till("status", check=False) is None:
            if time.monotonic() > end:
                fail("the daemon does not serve")
            time.sleep(0.05)

    def till(self, *arguments, check=True):
        """The standard output of a command; None if it failed."""
        done = subprocess.run(
            [f"{self.programs}/till", *arguments], env=self.environment, capture_output=True, text=True
        )
        if check and done.returncode:
            fail(f"till {' '.join(arguments)}: {done.stderr}")
        return done.stdout if done.returncode == 0 else None

    def buy(self, *arguments):
        """Buys coins, and returns the payment's id."""
        line = self.till("buy", COINS, "--json", *arguments).splitlines()[0]
        transaction = json.loads(line)
        return transaction.get("id") or transaction["transaction"]["id"]

    def why(self, transaction):
        return json.loads(self.till("why", transaction, "--json"))

    def stop(self):
        self.process.terminate()
        self.process.wait(SECONDS)


class Page:
    """The operator page in a browser."""

    def __init__(self, shots):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.browser.set_window_size(*DESKTOP)
        self.shots = shots
        self.axe = axe_core_python and (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()

    def open(self, daemon, *options):
        self.visit(json.loads(daemon.till("console", "--json", *options))["url"])

    def visit(self, invitation):
        self.url = invitation
        self.browser.get("about:blank")
        self.browser.get(self.url)

    def wait(self, what, condition):
        # A live view may replace an element between finding and reading it.
        waiting = WebDriverWait(self.browser, SECONDS, ignored_exceptions=[StaleElementReferenceException])
        try:
            return waiting.until(lambda _: condition())
        except TimeoutException:
            self.shot("failed")
            fail(f"{what} did not happen; the page says: {self.text()[:600]}")

    def text(self):
        return self.browser.find_element(By.TAG_NAME, "body").text

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def expect(self, text):
        self.wait(f"the text '{text}'", lambda: text in self.text())

    def view(self, name):
        self.browser.execute_script("location.hash = arguments[0]", f"#/{name}")
        view = name.split("?")[0]
        self.wait(
            f"the view {view}",
            lambda: self.find("main h1") and self.browser.execute_script("return location.hash").startswith(f"#/{view}"),
        )

    def shot(self, name):
        self.browser.save_screenshot(f"{self.shots}/{name}.png")

    def shots_of(self, name):
        """Screenshots at both widths, in light and dark; nothing may be wider than the window."""
        for width, size in (("desktop", DESKTOP), ("phone", PHONE)):
            self.browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
            )
            for scheme in ("light", "dark"):
                self.browser.execute_cdp_cmd(
                    "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                )
                self.shot(f"{name}-{width}-{scheme}")
                self.check_accessibility(f"{name} at {width} width, {scheme}")
            wide = self.browser.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            if wide > 0:
                fail(f"{name} is {wide} pixels wider than the window at {width} width")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def check_accessibility(self, name):
        if not self.axe:
            return
        self.browser.execute_script(self.axe)
        found = self.browser.execute_async_script(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })
                .then((result) => done(result.violations));
            """
        )
        if found:
            nodes = [f"{rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"][:3]]
            fail(f"axe-core objects to {name}: " + "; ".join(nodes))

    def click(self, selector, text=""):
        """Clicks the first element that has the text, all at once: a live view may replace its elements at any time."""
        self.wait(
            f"a click on {selector} {text}",
            lambda: self.browser.execute_script(
                """
                const found = [...document.querySelectorAll(arguments[0])].find((e) => e.textContent.includes(arguments[1]));
                found?.click();
                return Boolean(found);
                """,
                selector,
                text,
            ),
        )

    def fill(self, form, values):
        for name, value in values.items():
            field = form.find_element(By.NAME, name)
            if field.tag_name == "select":
                Select(field).select_by_value(value)
            else:
                field.clear()
                field.send_keys(value)

    def send(self, action, index=0, confirms=True, expects="", **values):
        """Fills in and sends the form of an action, and returns what the page says."""
        for attempt in range(5):
            try:
                form = self.find(f"form[data-action={action}]")[index]
                self.browser.execute_script("arguments[0].closest('details')?.setAttribute('open', '')", form)
                self.fill(form, values)
                form.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
                break
            except (StaleElementReferenceException, ElementNotInteractableException, IndexError):
                # A live view has replaced the form before anything was typed.
                time.sleep(0.2)
                if attempt == 4:
                    raise
        if confirms:
            self.wait("the question", lambda: self.find("dialog[open]"))
            question = self.find("#confirm-text")[0].text
            if expects not in question:
                fail(f"the question lacks '{expects}': {question}")
            self.click("#confirm-yes")
        self.wait("the answer", lambda: self.find("#status")[0].text or self.find("#error")[0].text)
        return self.find("#status")[0].text or fail(self.find("#error")[0].text)

    def check_console(self):
        """The page's own script and style suffice: nothing was refused by its policy, and nothing threw."""
        severe = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        severe = [message for message in severe if "favicon" not in message]
        if severe:
            fail(f"the browser reports: {severe}")


def step(text):
    print(f"── {text}", flush=True)


def open_page(daemon, page, folder):
    step("Without an invitation, the page shows nothing")
    page.browser.get(json.loads(daemon.till("console", "--json"))["url"].split("#")[0])
    page.expect("Run till console")
    step("An invitation opens the page once")
    page.open(daemon)
    page.expect("takes payments")
    if "invitation" in page.browser.current_url:
        fail("the invitation stays in the address")
    step("till console --open hands the browser a file that leads to the page")
    daemon.environment["XDG_RUNTIME_DIR"] = folder
    daemon.till("console", "--open")
    page.browser.execute_script("sessionStorage.clear()")
    page.browser.get(f"file://{folder}/till-console.html")
    page.expect("takes payments")
    page.open(daemon)
    page.expect("takes payments")
    used = page.url
    page.browser.execute_script("sessionStorage.clear()")
    page.browser.get("about:blank")
    page.browser.get(used)
    page.expect("The invitation was used or is too old")
    page.browser.get_log("browser")
    page.open(daemon)
    page.expect("takes payments")


def see_purchase(daemon, page):
    step("A purchase appears while the list is shown, and a hostile username stays text")
    page.view("transactions")
    page.expect("No transaction matches.")
    bought = daemon.buy("--username", HOSTILE)
    page.expect("purchased, unfinished")
    page.click("tbody a")
    page.expect("Application's username")
    page.expect(HOSTILE)
    if page.find("main img") or "hacked" in page.browser.title:
        fail("a username became markup")
    page.shots_of("transaction")
    return bought


def refund(daemon, page, bought):
    step("A refund shows what it takes back, and is done after a confirmation")
    page.view(f"transaction?id={bought}")
    page.expect("Actions")
    page.click("details summary", "Refund")
    page.shot("refund-desktop-light")
    said = page.send("refund", expects="gives back", reason="the customer asked <b>kindly</b>")
    if "succeeded" not in said:
        fail(said)
    if daemon.why(bought)["transaction"]["revocation"]["quantity"] != 1:
        fail("the ledger has no revocation")
    page.view("audit")
    page.expect("the customer asked <b>kindly</b>")
    if "1 entry intact" not in page.send("verify-audit", confirms=False):
        fail("the audit log was not verified")


def answer(daemon, page):
    step("Ask to Buy: one request is approved, another is declined")
    daemon.till("settings", "set", "ask-to-buy=true", "--reason", "test")
    page.view("requests")
    page.expect("Nobody waits.")
    for approves, state in ((True, "purchased"), (False, "failed")):
        asked = daemon.buy("--no-wait")
        page.expect("Ask to Buy")
        if approves:
            page.shots_of("request")
        page.send("answer", index=0 if approves else 1)
        page.wait(f"the state {state}", lambda: daemon.why(asked)["transaction"]["state"] == state)
        page.expect("Nobody waits.")
    daemon.till("settings", "set", "ask-to-buy=false", "--reason", "test")


def control(daemon, page):
    step("A setting and the clock of the simulated store are changed")
    page.view("store")
    page.send("change-setting", confirms=False, name="interrupted-purchases", value="true", reason="test")
    page.send("advance-clock", amount="3", reason="test")
    if json.loads(daemon.till("clock", "--json"))["offset_ms"] != 3 * 86_400_000:
        fail("the clock was not advanced by three days")
    step("A promoted purchase is offered to an application")
    page.send("promote", confirms=False, product=COINS, application="org.example.other", account="uid:1000", reason="an event")
    if "Promote" not in daemon.till("audit", "--json"):
        fail("the offer is not in the audit log")
    step("An interrupted purchase is resolved")
    daemon.till("buy", COINS, "--no-wait", check=False)
    find = ("find", "--attention", "interrupted", "--json")
    page.wait("an interrupted purchase", lambda: daemon.till(*find))
    interrupted = json.loads(daemon.till(*find).splitlines()[0])["transaction"]["id"]
    page.view("overview")
    page.click("tbody a", interrupted[-8:])
    page.click("summary", "interrupted")
    page.send("resolve", confirms=False, reason="the user signed the new terms")
    page.view("store")
    page.send("change-setting", confirms=False, name="interrupted-purchases", value="", reason="test")


def sell(page):
    step("A purchase is made for an account, and its queue and the sales show it")
    page.view("store")
    page.send(
        "buy", confirms=False, product=f"{APPLICATION}.pro", quantity="1", application="org.example.counter",
        account="uid:4711", reason="sold at the counter",
    )
    page.view("applications")
    page.expect("org.example.counter")
    page.click("tbody tr:last-child a", "Purchases")
    page.expect("All transactions of this queue")
    page.expect(f"{APPLICATION}.pro")
    page.shots_of("queue")
    page.view("sales")
    page.expect("Revenue")
    if not page.find("main svg rect"):
        fail("the sales have no bars")


def compare(daemon, page):
    step("The books are compared")
    page.view("books")
    said = page.send("reconcile", confirms=False)
    if "agree" not in said or "DISAGREE" in said:
        fail(said)


def use_keyboard(page):
    step("The keyboard alone leads to a view")
    page.view("overview")
    page.browser.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.browser.get(page.browser.current_url)
    page.expect("takes payments")
    page.browser.execute_script("document.querySelector('.skip').focus()")
    for _ in range(2):
        page.browser.switch_to.active_element.send_keys(Keys.TAB)
    page.browser.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait("the transactions", lambda: [h.text for h in page.find("main h1")] == ["Transactions"])


def show_views(page):
    objects = "; axe-core objects to nothing" if axe_core_python else ""
    step(f"Each view, at desktop and phone width, light and dark{objects}")
    for view in VIEWS:
        page.view(view)
        page.wait(f"the heading of {view}", lambda: page.find("main h1"))
        time.sleep(0.3)
        page.shots_of(view)


def read_only(daemon, page):
    step("A read-only page has no forms that change something, and signing out ends it")
    page.click("#sign-out")
    page.expect("You are signed out.")
    page.open(daemon, "--read-only")
    page.expect("may only read")
    for view in ("requests", "store", "audit", "books"):
        page.view(view)
        if page.find("form[data-action]"):
            fail(f"the read-only view {view} has a form")
    page.click("#sign-out")
    page.expect("You are signed out.")


def outlive(daemon, page):
    step("When the daemon has stopped, the page says so")
    page.open(daemon)
    page.expect("takes payments")
    page.check_console()
    daemon.stop()
    page.browser.execute_script("location.hash = '#/audit'")
    page.expect("The daemon cannot be reached.")


def main(programs, folder, shots):
    daemon = Daemon(programs, folder)
    page = None
    try:
        page = Page(shots)
        open_page(daemon, page, folder)
        bought = see_purchase(daemon, page)
        refund(daemon, page, bought)
        answer(daemon, page)
        control(daemon, page)
        sell(page)
        compare(daemon, page)
        use_keyboard(page)
        show_views(page)
        read_only(daemon, page)
        outlive(daemon, page)
    except AssertionError as reason:
        if page:
            page.shot("failed")
        sys.exit(f"browse.py: {reason}")
    finally:
        if page:
            page.browser.quit()
        if daemon.process.poll() is None:
            daemon.stop()
    checked = "" if axe_core_python else ", but its accessibility was not checked"
    print(f"The operator page works{checked}. Screenshots are in {shots}.")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: browse.py FOLDER_WITH_PROGRAMS EMPTY_FOLDER FOLDER_FOR_SCREENSHOTS")
    main(*sys.argv[1:])
