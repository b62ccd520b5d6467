"use strict";

// The frame of the operator page. It asks the daemon for views, which come as HTML, and sends forms as JSON. Each request
// carries the session's secret in a header, which no other page can do.

const main = document.getElementById("main");
const status = document.getElementById("status");
const problem = document.getElementById("error");
const dialog = document.getElementById("confirm");

const keys = { secret: "till-session", user: "till-user" };
// The number of the latest view that was asked for: answers to older questions are dropped.
let asked = 0;
// Ends when the view that somebody asked for is shown. Live views wait for it, so that they never take its place.
let navigation = Promise.resolve();
let events = null;

function headers(more) {
    return { Authorization: `Bearer ${sessionStorage.getItem(keys.secret)}`, ...more };
}

async function send(path, fields) {
    const response = await fetch(path, {
        method: "POST",
        headers: headers({ "Content-Type": "application/json" }),
        body: JSON.stringify(fields),
    });
    const answer = await response.json();
    if (!response.ok) {
        throw new Error(answer.error);
    }
    return answer;
}

function say(message, error) {
    status.textContent = message ?? "";
    problem.textContent = error ?? "";
}

function unreachable(error) {
    return error instanceof TypeError ? "The daemon cannot be reached." : error.message;
}

// The view and its parameters, as the address has them: #/transactions?state=failed
function place() {
    const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
    return { view: view || "overview", query: query ?? "" };
}

function address(view, fields) {
    const pairs = Object.entries(fields).filter(([, value]) => value !== "");
    const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
    return `#/${view}${query ? `?${query}` : ""}`;
}

async function show({ keepsPlace = false } = {}) {
    const { view, query } = place();
    const number = ++asked;
    let text;
    try {
        const response = await fetch(`/view/${view}${query ? `?${query}` : ""}`, { headers: headers() });
        if (!response.ok) {
            throw new Error((await response.json()).error);
        }
        text = await response.text();
    } catch (error) {
        if (number === asked) {
            say("", unreachable(error));
        }
        return;
    }
    if (number !== asked || (keepsPlace && isBusy())) {
        return;
    }
    if (keepsPlace) {
        problem.textContent = "";
    }
    const open = [...main.querySelectorAll("details[open] summary")].map((summary) => summary.textContent);
    main.innerHTML = text;
    for (const summary of keepsPlace ? main.querySelectorAll("summary") : []) {
        summary.parentElement.open = open.includes(summary.textContent);
    }
    for (const time of main.querySelectorAll("time")) {
        time.title = time.dateTime;
        time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
    }
    for (const link of document.querySelectorAll("nav a")) {
        const isCurrent = link.hash === `#/${view}`;
        isCurrent ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    }
    const heading = main.querySelector("h1");
    document.title = heading ? `${heading.textContent} – Till` : "Till";
    if (!keepsPlace) {
        main.focus();
        window.scrollTo(0, 0);
    }
}

function navigate() {
    navigation = show();
    return navigation;
}

// Whether somebody is filling in a form or reads a question, which a new view would take away.
function isBusy() {
    const field = document.activeElement;
    return dialog.open || (main.contains(field) && field.matches("input, select, button")) ||
        [...main.querySelectorAll("input:not([type=hidden]), select")].some(isChanged);
}

function isChanged(field) {
    if (field instanceof HTMLSelectElement) {
        return [...field.options].some((option, index) =>
            option.selected !== (option.defaultSelected || (!field.querySelector("[selected]") && index === 0)));
    }
    return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

function confirmed(question) {
    document.getElementById("confirm-text").textContent = question;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
}

function fields(form) {
    const values = {};
    for (const field of form.elements) {
        if (field.name) {
            values[field.name] = field.type === "checkbox" ? String(field.checked) : field.value.trim();
        }
    }
    return values;
}

async function act(form) {
    const button = form.querySelector("button");
    const values = fields(form);
    button.disabled = true;
    say("");
    try {
        let question = form.dataset.confirm ?? "";
        if (form.dataset.preview) {
            const { message } = await send(`/action/${form.dataset.preview}`, values);
            question = `${message}\n${question}`;
        }
        if (question && !(await confirmed(question))) {
            return;
        }
        const { message, html } = await send(`/action/${form.dataset.action}`, values);
        await navigate();
        say(message);
        if (html) {
            main.insertAdjacentHTML("beforeend", html);
        }
    } catch (error) {
        say("", unreachable(error));
    } finally {
        button.disabled = false;
    }
}

// Server-sent events, read by fetch: EventSource cannot send the session's secret.
async function follow() {
    events?.abort();
    const control = (events = new AbortController());
    while (!control.signal.aborted && sessionStorage.getItem(keys.secret)) {
        try {
            const response = await fetch("/events", { headers: headers(), signal: control.signal });
            if (response.status === 403) {
                return;
            }
            const reader = response.body.getReader();
            let isFirst = true;
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
                // The overview's plots move on without a change too, at each sign of life.
                const isNews = new TextDecoder().decode(part.value).includes("data:") || place().view === "overview";
                await navigation;
                if (!isFirst && isNews && !isBusy()) {
                    await show({ keepsPlace: true });
                }
                isFirst = false;
            }
        } catch {
            // The daemon has stopped or restarts.
        }
        await new Promise((resolve) => setTimeout(resolve, 2000));
    }
}

function begin() {
    document.getElementById("user").textContent = sessionStorage.getItem(keys.user);
    for (const part of document.querySelectorAll("nav, .user")) {
        part.hidden = false;
    }
    navigate();
    follow();
}

function end(message) {
    events?.abort();
    sessionStorage.clear();
    for (const part of document.querySelectorAll("nav, .user")) {
        part.hidden = true;
    }
    asked += 1;
    main.textContent = "";
    say(message ?? "", message ? "" : "Run till console for an invitation to this page.");
}

async function start() {
    const invitation = new URLSearchParams(location.hash.slice(1)).get("invitation");
    if (invitation) {
        // Nobody finds the invitation in the browser's history.
        history.replaceState(null, "", "/");
        try {
            const answer = await send("/session", { invitation });
            sessionStorage.setItem(keys.secret, answer.session);
            sessionStorage.setItem(keys.user, answer.role === "reader" ? `${answer.user}, may only read` : answer.user);
        } catch (error) {
            say("", unreachable(error));
            return;
        }
    }
    sessionStorage.getItem(keys.secret) ? begin() : end();
}

window.addEventListener("hashchange", () => {
    if (location.hash.includes("invitation=")) {
        start();
    } else if (location.hash !== "#main") {
        say("");
        navigate();
    }
});

document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (form.dataset.view) {
        const next = address(form.dataset.view, fields(form));
        next === location.hash ? navigate() : (location.hash = next);
    } else if (form.dataset.action) {
        act(form);
    }
});

document.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.page) {
        const { view, query } = place();
        const parameters = Object.fromEntries(new URLSearchParams(query));
        location.hash = address(view, { ...parameters, [button.dataset.list]: button.dataset.page });
    } else if (button?.id === "confirm-yes") {
        dialog.close("yes");
    } else if (button?.id === "confirm-no") {
        dialog.close("no");
    } else if (button?.id === "sign-out") {
        await send("/sign-out", {}).catch(() => {});
        end("You are signed out.");
    }
});

start();
