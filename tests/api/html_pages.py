# SPDX-License-Identifier: BSD-3-Clause
#
# What tests/api/html.sh asks of the folder that make html makes.
#
#   html_pages.py links FOLDER      prints what is wrong with links: one that leads to no file
#                                   or to no id of it, or out of the folder, an id that is there
#                                   twice, a script, a style or a picture from elsewhere; and
#                                   last "links N"
#   html_pages.py routines FOLDER   prints the routines that the index of the search has, each
#                                   with the name of its page: "nvshmem_int_p nvshmem_p"
import json
import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids = []
        self.links = []  # (target, whether it is a part of the page)
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append((attrs["href"], tag == "link"))
        if "src" in attrs:
            self.links.append((attrs["src"], True))


def links(folder):
    pages = {path.resolve(): Page(path) for path in folder.glob("**/*.html")}
    n = 0
    for path, page in sorted(pages.items()):
        name = path.relative_to(folder)
        for one in sorted({i for i in page.ids if page.ids.count(i) > 1}):
            print(f"{name}: the id {one} is there twice")
        for target, part in page.links:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                if part:
                    print(f"{name}: {target} is from elsewhere")
                continue
            n += 1
            there = (path.parent / unquote(url.path)).resolve() if url.path else path
            anchor = unquote(url.fragment)
            if not there.is_file() or folder not in there.parents:
                print(f"{name}: {target}: no such file")
            elif anchor and (there not in pages or anchor not in pages[there].ids):
                print(f"{name}: {target}: no such id")
    print(f"links {n}")


def routines(folder):
    text = (folder / "search-index.js").read_text(encoding="utf-8")
    index = json.loads(text[text.index("{"):].rstrip().rstrip(";"))
    for number, name, words in index["routines"]:
        file = index["pages"][number][0]
        page = Page(folder / file)
        if name not in page.ids:
            print(f"{name} is not in {file}")
        for word in words.split() or [""]:
            one = name.replace("TYPENAME", word).replace("SIZE", word) if word else name
            print(one, pathlib.PurePath(file).name.replace(".3.html", ""))


{"links": links, "routines": routines}[sys.argv[1]](pathlib.Path(sys.argv[2]).resolve())
