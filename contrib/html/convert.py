# SPDX-License-Identifier: BSD-3-Clause
#
# One page's text as HTML, without what is around it.  Each function takes a name of a file below
# SOURCE, and "link", which is asked where things are:
#
#   link.file(FROM, TARGET)   what a link of file FROM to TARGET becomes
#   link.word(FROM, TEXT)     where code of this text is described, or None
#   link.man(FROM, NAME, SECTION)   the page of the manual that has that name, or None
#
# Headings have the ids that GitHub gives them, or mandoc; each id is there once.
import html
import pathlib
import re
import subprocess

from markdown_it import MarkdownIt
from markdown_it.token import Token


def escape(text):
    return html.escape(text, quote=False)


def anchor(text, taken):
    """What GitHub calls a heading; the second one of a name has a number."""
    name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
    taken[name] = taken.get(name, -1) + 1
    return f"{name}-{taken[name]}" if taken[name] else name


def tag(kind, name, nesting, **attributes):
    return Token(kind, name, nesting, attrs={k: v for k, v in attributes.items() if v})


def opened(href, css=None):
    return tag("link_open", "a", 1, href=href, **{"class": css})


def inline(tokens, link, source, heading):
    """The tokens of a line: links lead to pages, and so does code that a page describes."""
    depth = 0
    for token in tokens:
        if token.type == "link_open":
            token.attrs["href"] = link.file(source, token.attrs["href"])
        elif token.type == "image":
            token.attrs["src"] = link.file(source, token.attrs["src"])
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        href = None
        if token.type == "code_inline" and not depth and not heading:
            href = link.word(source, token.content)
        if href:
            yield opened(href, "code")
        # A picture too wide for a phone is scrolled, and opened alone where it is clicked.
        elif token.type == "image":
            yield opened(token.attrs["src"], "picture")
        yield token
        if href or token.type == "image":
            yield tag("link_close", "a", -1)


def bare_head(tokens, at):
    """Where the head of the table at "at" ends, if all of it is empty."""
    end = next(i for i in range(at, len(tokens)) if tokens[i].type == "thead_close")
    return end if not any(t.content for t in tokens[at:end]) else None


def markdown(root, source, link):
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(pathlib.Path(root, source).read_text(encoding="utf-8"))
    out, taken, i = [], {}, 0
    while i < len(tokens):
        token = tokens[i]
        heading = i > 0 and tokens[i - 1].type == "heading_open"
        if token.type == "inline":
            token.children = list(inline(token.children, link, source, heading))
            if heading:
                text = "".join(t.content for t in token.children)
                name = out[-1].attrs["id"] = anchor(text, taken)
                if not any(t.type == "link_open" for t in token.children):
                    token.children = [opened(f"#{name}", "permalink"), *token.children,
                                      tag("link_close", "a", -1)]
        elif token.type == "thead_open" and bare_head(tokens, i):
            i = bare_head(tokens, i) + 1
            continue
        elif token.type == "table_open":
            out.append(tag("wide_open", "div", 1, **{"class": "wide"}))
        out.append(token)
        if token.type == "table_close":
            out.append(tag("wide_close", "div", -1))
        i += 1
    # What a page says to its maintainers is not for readers.
    return re.sub(r"<!--.*?-->\n?", "", parser.renderer.render(out, parser.options, {}), flags=re.S)


def manual(root, source, link, names):
    """A page of the manual; "names" are the routines that it describes."""
    said = subprocess.run(["mandoc", "-T", "html", "-O", "fragment,man=%N.%S",
                           str(pathlib.Path(root, source))],
                          check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    # Its first and last line are for a terminal; newer versions have other elements for them.
    text = re.search(r'<(div|main) class="manual-text">\n(.*)</\1>', said, re.S).group(2)
    for css, level in (("Sh", 2), ("Ss", 3)):
        text = re.sub(rf'<h\d( class="{css}".*?)</h\d>', rf"<h{level}\1</h{level}>", text,
                      flags=re.S)

    def reference(match):
        name, section = match.group(1).rsplit(".", 1)
        href = link.man(source, html.unescape(name), section)
        if href:
            return f'<a class="Xr" href="{href}">{match.group(2)}</a>'
        return f'<span class="Xr">{match.group(2)}</span>'
    text = re.sub(r'<a class="Xr" href="([^"]*)">(.*?)</a>', reference, text, flags=re.S)

    # The name of a routine is where mandoc says that it is explained, or else at its prototype, or
    # where it is listed.
    for name in names:
        if f'id="{name}"' in text:
            continue
        for css in ("Fn", "Nm"):
            there = f'<code class="{css}">{name}</code>'
            if there in text:
                text = text.replace(there, f'<code class="{css}" id="{name}">{name}</code>', 1)
                break
    title = "{}({})".format(*pathlib.PurePath(source).name.rsplit(".", 1))
    return f"<h1>{title}</h1>\n{text}"


def news(root, source, _link):
    """NEWS: a release begins at the left, its entries by "area:", what goes on is further right."""
    out = []
    for line in pathlib.Path(root, source).read_text(encoding="utf-8").splitlines()[1:]:
        area = re.match(r"  (\w[^:]*): (.*)", line)
        if re.match(r"\d", line):
            out.append(f'<h2 id="{line.split()[0]}">{escape(line)}</h2>')
        elif area:
            out.append(f"<p><b>{escape(area[1])}</b>: {escape(area[2])}")
        elif line.strip():
            out.append(escape(line))
    return "<h1>News</h1>\n" + "\n".join(out)


def verbatim(root, source, _link):
    text = pathlib.Path(root, source).read_text(encoding="utf-8")
    return f"<h1>{escape(source)}</h1>\n<pre>{escape(text)}</pre>"
