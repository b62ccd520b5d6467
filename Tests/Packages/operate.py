"""Uses the operator page of the daemon in the container, in headless Chromium: the container shares this machine's loopback.

usage: operate.py FOLDER

It writes a port for the page, which must be free on this machine, to the folder's file `port`. Then it opens the folder's two
named pipes. Each line of `tasks` is a function's name, an invitation to the page, and the function's other arguments.
The answer in `results` is "done", or the reason why it is not.
"""

import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Console"))

from browse import Page, free_port


def buy(page, product, application):
    page.view("store")
    said = page.send(
        "buy", confirms=False, product=product, quantity="1", application=application, account="uid:4711",
        reason="sold at the counter",
    )
    page.view("transactions")
    page.expect("purchased, unfinished")
    return said


def approve(page):
    page.view("requests")
    page.expect("Ask to Buy")
    said = page.send("answer")
    page.expect("Nobody waits.")
    return said


TASKS = {"buy": buy, "approve": approve}


def main(folder):
    # So that the browser ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    pathlib.Path(folder, "port").write_text(str(free_port()))
    with open(f"{folder}/tasks") as tasks, open(f"{folder}/results", "w", buffering=1) as results:
        page = Page(folder)
        try:
            for line in tasks:
                task, invitation, *arguments = line.split()
                page.visit(invitation)
                page.expect("takes payments")
                print(f"The page says: {TASKS[task](page, *arguments)}", flush=True)
                print("done", file=results)
        except AssertionError as reason:
            print(" ".join(str(reason).split()), file=results)
        finally:
            page.browser.quit()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: operate.py FOLDER")
    main(sys.argv[1])
