#!/usr/bin/python3
"""Pays on a payment page as a payer does, in headless Chromium, and prints what the payer sees.

usage: browser.py PAGE CARD...

Types one card after another until one is accepted, and confirms the payment at the bank if that is asked for. Needs Debian's
packages chromium, chromium-driver and python3-selenium, and therefore Debian's Python.
"""

import os
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait

SECONDS = 20


def start():
    options = webdriver.ChromeOptions()
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    # The shop's page after the payment does not exist; nothing but the pages of this machine is opened.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def show(browser):
    """Prints the title of the page, and its message if it has one."""
    texts = [browser.title] + [found.text for found in browser.find_elements(By.CSS_SELECTOR, "#product, #amount, #error")]
    print("   [browser]", " | ".join(texts), flush=True)


def press(browser, identifier):
    """Presses a button, and waits for the page that follows."""
    button = browser.find_element(By.ID, identifier)
    button.click()
    WebDriverWait(browser, SECONDS).until(expected_conditions.staleness_of(button))


def type_card(browser, number):
    for identifier, text in (("card-number", number), ("card-expiry", "12/34"), ("card-cvc", "123")):
        browser.find_element(By.ID, identifier).send_keys(text)
    print(f"   [browser] the payer types {number}", flush=True)
    press(browser, "pay")


def pay(browser, page, cards):
    browser.get(page)
    for number in cards:
        show(browser)
        type_card(browser, number)
        if browser.find_elements(By.ID, "authenticate"):
            show(browser)
            press(browser, "authenticate")
        if not browser.find_elements(By.ID, "card-number"):
            print("   [browser] sent to", browser.current_url, flush=True)
            return True
    show(browser)
    return False


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: browser.py PAGE CARD...")
    browser = start()
    try:
        accepted = pay(browser, sys.argv[1], sys.argv[2:])
    finally:
        browser.quit()
    sys.exit(0 if accepted else 1)
