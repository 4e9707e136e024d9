# SPDX-License-Identifier: BSD-3-Clause
#
# pages.py SOURCE FOLDER: the documents and the manual of SOURCE as HTML, in FOLDER.  README.md
# becomes index.html, x/y.md x/y.html, docs/man/z.3 man/z.3.html; files that they link to, and
# that are neither, are pages as they stand, x/y.h.html, and pictures are copied.  Standard input
# is what docs/man/links.awk says: which page has which function.
import json
import os
import pathlib
import posixpath
import re
import shutil
import sys
from html.parser import HTMLParser

import convert

FOLDERS = "include device proxy lib tests contrib".split()
SECTIONS = {"1": "Commands", "3": "Routines", "7": "Overview and variables"}
PICTURES = (".svg", ".png")
LAYOUT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
<script src="{root}search.js" defer></script>
</head>
<body>
<header>
<a class="home" href="{root}index.html">anyshmem</a>
<form class="search" role="search" hidden>
<input type="search" name="q" placeholder="Search" aria-label="Search" autocomplete="off"
 spellcheck="false">
<div class="found" aria-live="polite" hidden></div>
</form>
<input type="checkbox" class="menu" autocomplete="off" aria-label="Show the list of pages">
</header>
<nav aria-label="Pages">
{navigation}
</nav>
<main class="{kind}">
{body}
<footer>anyshmem {version}, {licence}</footer>
</main>
</body>
</html>
"""


class Headings(HTMLParser):
    """A page by its headings: [id, level, heading, text], the first one without an id.  Words that
    a list of options or variables explains count as headings, if "terms" says so."""

    def __init__(self, body, terms):
        super().__init__()
        self.parts = [["", 1, "", ""]]
        self.terms = terms
        self.inside = False
        self.feed(body)
        for part in self.parts:
            part[2:] = [" ".join(text.split()) for text in part[2:]]

    def handle_starttag(self, tag, attrs):
        name = dict(attrs).get("id")
        heading = re.fullmatch("h[1-6]", tag)
        if tag == "h1":
            self.inside = True
        elif name and (heading or self.terms and tag == "dt"):
            self.parts.append([name, int(tag[1]) if heading else 9, "", ""])
            self.inside = True
        # Words of two cells, two lines or two paragraphs are no one word.
        elif tag not in ("a", "b", "code", "em", "i", "span", "strong", "var"):
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if tag == "dt" or re.fullmatch("h[1-6]", tag):
            self.inside = False

    def handle_data(self, data):
        self.parts[-1][2 if self.inside else 3] += data


class Site:
    def __init__(self, root, functions):
        self.root = pathlib.Path(root)
        self.out = {}     # name of a source: name of its page
        self.groups = []  # (heading, page of the heading or None, sources)
        self.bodies = {}
        self.names = {}   # routine: (source, id)
        self.fills = {}   # (source, id): what stands for TYPENAME or SIZE in it
        self.plain = []   # files that are pages as they stand
        self.pictures = set()
        self.collect()
        self.routines(functions)

    def listed(self, pattern):
        return sorted(p.relative_to(self.root).as_posix() for p in self.root.glob(pattern))

    def collect(self):
        begin = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "NEWS"]
        # In the order in which README has them.
        readme = (self.root / "README.md").read_text(encoding="utf-8").partition("## Reading on")[2]
        docs = self.listed("docs/**/*.md")
        docs.sort(key=lambda name: (readme.find(f"]({name}") % (len(readme) + 1), name))
        folders = [one for name in FOLDERS for one in self.listed(f"{name}/README.md")]
        more = [name for folder in FOLDERS for name in self.listed(f"{folder}/**/*.md")]
        folders += [name for name in more if name not in folders]
        self.groups = [("Begin", None, begin), ("Reading on", None, docs),
                       ("Folders", None, folders)]
        self.manual = {number: self.listed(f"docs/man/*.{number}") for number in SECTIONS}
        # NVSHMEM's routines, OpenSHMEM's, Intel SHMEM's.
        self.manual["3"].sort(key=lambda name: ("nsi".find(name[len("docs/man/")]), name))
        for number, pages in self.manual.items():
            self.groups.append((f"{number}: {SECTIONS[number]}", "man/index.html", pages))
        for _, _, sources in self.groups:
            for name in sources:
                self.out[name] = re.sub(r"\.md$", "", name.replace("docs/man/", "man/")) + ".html"
        self.out["README.md"] = "index.html"
        self.add_file("COPYING")

    def add_file(self, name):
        if name not in self.out:
            self.out[name] = name + ".html"
            self.plain.append(name)

    def routines(self, functions):
        patterns = {}
        for name in self.manual["3"]:
            text = (self.root / name).read_text(encoding="utf-8")
            listed = re.search(r"^\.Sh NAME\n(.*?)^\.Nd", text, re.S | re.M)[1]
            patterns[name] = re.findall(r"^\.Nm (\S+)", listed, re.M)
            for pattern in patterns[name]:
                self.names[pattern] = (name, pattern)
                self.fills[name, pattern] = []
        for function, page, _ in functions:
            source = f"docs/man/{page}.3"
            if function in self.names or source not in patterns:
                continue
            for pattern in patterns[source]:
                form = pattern.replace("TYPENAME", "([a-z0-9]+)").replace("SIZE", "([0-9]+)")
                match = re.fullmatch(form, function)
                if match and match.groups():
                    self.names[function] = (source, pattern)
                    self.fills[source, pattern].append(match[1])
                    break

    def relative(self, source, target):
        """The way from one page to another, or to a file of FOLDER."""
        return posixpath.relpath(target, posixpath.dirname(self.out.get(source, source)) or ".")

    # What convert.py asks for.

    def file(self, source, target):
        path, mark, name = target.partition("#")
        if re.match("[a-z]+:", target) or not path:
            return target
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if (self.root / path / "README.md").exists():
            path = "README.md" if path == "." else f"{path}/README.md"
        if path.endswith(PICTURES):
            self.pictures.add(path)
            return self.relative(source, path)
        if path not in self.out and (self.root / path).is_file():
            self.add_file(path)
        return self.relative(source, self.out.get(path, path)) + mark + name

    def man(self, source, name, section):
        page, anchor = f"docs/man/{name}.{section}", ""
        if page not in self.out and section == "3" and name in self.names:
            page, anchor = self.names[name]
        if page not in self.out:
            return None
        return self.relative(source, self.out[page]) + (f"#{anchor}" if anchor else "")

    def word(self, source, text):
        command = re.fullmatch(r"man (?:([137]) )?([\w-]+)", text)
        if text in self.names or command and not command[1]:
            return self.man(source, command[2] if command else text, "3")
        if command:
            return self.man(source, command[2], command[1])
        if text in self.variables:
            return self.man(source, "anyshmem", "7") + f"#{text}"
        return self.man(source, text, "1")

    # The pages.

    def convert(self):
        for number, pages in self.manual.items():
            for name in pages:
                names = [p for s, p in self.fills if s == name]
                self.bodies[name] = convert.manual(self.root, name, self, names)
        overview = self.bodies["docs/man/anyshmem.7"]
        self.variables = set(re.findall('<dt id="([A-Z][A-Z_0-9]+)"', overview))
        for _, _, sources in self.groups:
            for name in sources:
                if name not in self.bodies:
                    how = convert.markdown if name.endswith(".md") else convert.news
                    self.bodies[name] = how(self.root, name, self)
        for name in self.plain:
            self.bodies[name] = convert.verbatim(self.root, name, self)
        self.parts = {name: Headings(body, re.search(r"\.[17]$", name)).parts
                      for name, body in self.bodies.items()}
        self.out["man"] = "man/index.html"
        self.bodies["man"] = self.contents()
        self.parts["man"] = Headings(self.bodies["man"], False).parts

    def contents(self):
        """The manual's pages, each with what it is."""
        rows = ["<h1>The manual</h1>"]
        for number, pages in self.manual.items():
            rows.append(f'<h2 id="section-{number}">{number}: {SECTIONS[number]}</h2>\n<dl>')
            for name in pages:
                what = re.search(r'<span class="Nd">(.*?)</span>', self.bodies[name], re.S)[1]
                href = self.relative("man", self.out[name])
                rows.append(f'<dt><a href="{href}">{self.title(name)}</a></dt><dd>{what}</dd>')
            rows.append("</dl>")
        return "\n".join(rows)

    def title(self, name):
        return self.parts[name][0][2]

    def entry(self, source, name):
        text = convert.escape(re.sub(r"\([1-9]\)$", "", self.title(name)))
        if name != source:
            return f'<li><a href="{self.relative(source, self.out[name])}">{text}</a></li>'
        inner = "".join(f'<li><a href="#{anchor}">{convert.escape(heading)}</a></li>'
                        for anchor, level, heading, _ in self.parts[name] if level == 2)
        inner = f"<ul>{inner}</ul>" if inner else ""
        return f'<li><a href="#" aria-current="page">{text}</a>{inner}</li>'

    def navigation(self, source):
        rows = []
        for heading, page, sources in self.groups:
            if page == "man/index.html" and heading[0] == "1":
                here = ' aria-current="page"' if source == "man" else ""
                rows.append(f'<h2><a href="{self.relative(source, page)}"{here}>Manual</a></h2>')
            entries = "\n".join(self.entry(source, name) for name in sources)
            if page:
                shown = " open" if source in sources else ""
                rows.append(f"<details{shown}><summary>{heading}</summary>\n<ul>\n{entries}\n</ul>"
                            "</details>")
            else:
                rows.append(f"<h2>{heading}</h2>\n<ul>\n{entries}\n</ul>")
        return "\n".join(rows)

    def write(self, folder):
        configured = (self.root / "configure.ac").read_text(encoding="utf-8")
        version = re.search(r"AC_INIT\(\[anyshmem\], *\[([^]]*)\]", configured)[1]
        for name, body in self.bodies.items():
            path = pathlib.Path(folder, self.out[name])
            path.parent.mkdir(parents=True, exist_ok=True)
            title = self.title(name)
            licence = f'<a href="{self.relative(name, "COPYING.html")}">BSD-3-Clause</a>'
            path.write_text(LAYOUT.format(
                title=convert.escape(title if title == "anyshmem" else f"{title} - anyshmem"),
                root=self.relative(name, ".") + "/", navigation=self.navigation(name), body=body,
                kind="man" if name.startswith("docs/man/") else "text", version=version,
                licence=licence), encoding="utf-8")
        for name in self.pictures:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / name, path)

    def index(self):
        """What search.js looks through; its head says what is what."""
        names = [name for _, _, sources in self.groups for name in sources]
        return {"pages": [[self.out[name], self.title(name)] for name in names],
                "parts": [[names.index(name), anchor, "" if level == 1 else heading, text]
                          for name in names for anchor, level, heading, text in self.parts[name]],
                "routines": [[names.index(source), pattern, " ".join(fills)]
                             for (source, pattern), fills in self.fills.items()]}


def main():
    root, folder = sys.argv[1:]
    site = Site(root, [line.split() for line in sys.stdin])
    site.convert()
    site.write(folder)
    index = json.dumps(site.index(), ensure_ascii=False, separators=(",", ":"))
    pathlib.Path(folder, "search-index.js").write_text(f"const searchIndex = {index};\n",
                                                       encoding="utf-8")


main()
