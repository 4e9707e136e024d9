/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search field.  search-index.js, which is read when somebody first searches, has
 *
 *   pages      [file, title]
 *   parts      [number of the page, id, heading, text]: a page from one heading to the next;
 *              the first part of a page has neither id nor heading
 *   routines   [number of the page, name, words]: the words stand for TYPENAME or SIZE in the
 *              name, so that one line is many routines
 */
"use strict";

/* The routine of this line whose name has all of the words, or null; and how good that is. */
function routineOf(name, fills, words) {
    const has = (one) => words.every((word) => one.toLowerCase().includes(word));
    const worth = (one) => {
        const lower = one.toLowerCase();
        return lower === words[0] ? 0 : lower.startsWith(words[0]) ? 1 : 2;
    };
    const full = fills.map((fill) => name.replace(/TYPENAME|SIZE/, fill));
    /* The whole name of one routine; else the line as it is in the manual, where that will do. */
    const found = full.find((one) => one.toLowerCase() === words[0] && words.length === 1) ||
        [name, ...full].find(has);
    return found ? [found, worth(found)] : null;
}

/* All that has each word of the query, the best first: [file and id, what, where, text]. */
function find(index, query) {
    const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const all = [];
    if (words.length === 0) return all;
    for (const [page, name, fills] of index.routines) {
        const [file, title] = index.pages[page];
        const found = routineOf(name, fills === "" ? [] : fills.split(" "), words);
        if (found) all.push([found[1], `${file}#${name}`, found[0], title, ""]);
    }
    for (const [page, id, heading, text] of index.parts) {
        const [file, title] = index.pages[page];
        const head = (heading || title).toLowerCase();
        const where = `${title} ${heading}`.toLowerCase();
        const every = (place) => words.every((word) => place.includes(word));
        let worth = null;
        if (every(head)) worth = head === words.join(" ") ? 0.5 : heading ? 4 : 3;
        else if (every(where)) worth = 5;
        else if (every(`${where} ${text.toLowerCase()}`)) {
            worth = words.some((word) => where.includes(word)) ? 6 : 7;
        }
        if (worth !== null) all.push([worth, id ? `${file}#${id}` : file, heading || title,
            heading ? title : "", text]);
    }
    /* Of equals the first comes first: sort is stable. */
    all.sort((one, other) => one[0] - other[0]);
    return all.map((one) => one.slice(1));
}

/* The words around the first one that was found, which are marked, as children of "element". */
function excerpt(element, text, query) {
    const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const from = first < 60 ? 0 : text.indexOf(" ", first - 60) + 1;
    const to = text.indexOf(" ", from + 150) < 0 ? text.length : text.indexOf(" ", from + 150);
    const piece = text.slice(from, to);
    const pattern = words.map((word) => word.replace(/[^\w]/g, "\\$&")).join("|");
    if (from > 0) element.append("... ");
    piece.split(new RegExp(`(${pattern})`, "i")).forEach((part, i) => {
        if (i % 2 === 0) return element.append(part);
        const mark = document.createElement("mark");
        mark.append(part);
        element.append(mark);
    });
    if (to < text.length) element.append(" ...");
}

function setUp(root) {
    const form = document.querySelector(".search");
    const field = form.querySelector("input");
    const box = form.querySelector(".found");
    const most = 40;
    let reading = false;

    function show() {
        const query = field.value.trim();
        box.hidden = query === "";
        box.replaceChildren();
        if (box.hidden || typeof searchIndex === "undefined") return;
        const all = find(searchIndex, query);
        for (const [href, what, where, text] of all.slice(0, most)) {
            const link = document.createElement("a");
            link.href = root + href;
            const name = document.createElement("b");
            name.append(what);
            link.append(name, where ? `  ${where}` : "");
            if (text) {
                const said = document.createElement("span");
                excerpt(said, text, query);
                link.append(said);
            }
            box.append(link);
        }
        const note = document.createElement("p");
        note.append(all.length === 0 ? "Nothing has all of these words." :
            all.length > most ? `${all.length - most} more; another word finds less.` : "");
        if (note.textContent) box.append(note);
    }

    /* A script, for a page that was opened as a file may read nothing else. */
    function read() {
        if (reading) return;
        reading = true;
        const script = document.createElement("script");
        script.src = `${root}search-index.js`;
        script.onload = show;
        document.head.append(script);
    }

    form.hidden = false;
    field.addEventListener("focus", read);
    field.addEventListener("input", show);
    field.addEventListener("focus", show);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const link = box.querySelector("a");
        if (link) link.click();
    });
    box.addEventListener("click", () => { box.hidden = true; });
    document.addEventListener("click", (event) => {
        if (!form.contains(event.target)) box.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
        const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Escape") {
            box.hidden = true;
            field.blur();
        } else if (down && !box.hidden && form.contains(document.activeElement)) {
            const places = [field, ...box.querySelectorAll("a")];
            const at = places.indexOf(document.activeElement) + down;
            if (places[at]) places[at].focus();
            event.preventDefault();
        } else if (event.key === "/" && document.activeElement !== field) {
            event.preventDefault();
            field.focus();
        }
    });
    /* PAGE?q=WORDS is a search, as browsers keep them. */
    const query = new URLSearchParams(location.search).get("q");
    if (query) {
        field.value = query;
        read();
    }
    /* On a phone the list of pages hides the page, until one of its places is chosen. */
    const nav = document.querySelector("nav");
    nav.addEventListener("click", (event) => {
        if (event.target.closest("a")) document.querySelector(".menu").checked = false;
    });
    /* The list begins where this page is. */
    const here = nav.querySelector("[aria-current]");
    if (here && here.offsetTop > nav.clientHeight) {
        nav.scrollTop = here.offsetTop - nav.clientHeight / 3;
    }
}

if (typeof document !== "undefined") {
    setUp(document.currentScript.src.replace(/search\.js$/, ""));
}
