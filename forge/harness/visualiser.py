"""Mechanism 19: pictures. SVG and HTML in a model's reply are shown, made harmless first and framed second.

Two walls, and each is enough by itself. The source is written anew from a list of what may stay, so no
script, no event handler and no address remains. And it is shown in a frame with an empty `sandbox`, whose
policy allows no connection: what the list forgot could neither run nor ask for anything.
"""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import NamedTuple

from .drawings import extract_drawings


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SVG = _words(
    "svg g path rect circle ellipse line polyline polygon text tspan title desc defs marker"
    " linearGradient radialGradient stop clipPath use symbol"
)
_HTML = _words(
    "div span p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td"
    " b i em strong small code pre blockquote figure figcaption sub sup"
)
_ATTRIBUTES = _words(
    "class id role title lang dir colspan rowspan scope width height viewBox x y x1 y1 x2 y2 cx cy r rx ry d"
    " points dx dy fill stroke stroke-width stroke-dasharray stroke-linecap opacity fill-opacity href xmlns"
    " stroke-opacity font-size font-family font-weight text-anchor transform offset stop-color stop-opacity"
    " gradientUnits gradientTransform markerWidth markerHeight refX refY orient marker-end marker-start"
    " clip-path preserveAspectRatio dominant-baseline aria-label aria-hidden"
)
_SILENT = _words(
    "script style iframe object template noscript foreignobject textarea select math xmp noembed noframes"
    " audio video"
)
_EMPTY = {"br", "hr"}
_CASE = {name.lower(): name for name in _SVG | _HTML | _ATTRIBUTES}

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What a frame may load: nothing, and only styles that stand in it."""


class Figure(NamedTuple):
    """One picture of a reply: "svg" or "html", its harmless source, and a sentence that stands for it."""

    kind: str
    source: str
    label: str

    def frame(self, height: int = 320) -> str:
        """The picture in a sandboxed frame, as HTML."""
        page = (
            f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            f"<body style='margin:0'>{self.source}</body>"
        )
        return (
            f'<iframe sandbox="" referrerpolicy="no-referrer" title="{html.escape(self.label)}" '
            f'style="width:100%;height:{int(height)}px;border:0" srcdoc="{html.escape(page)}"></iframe>'
        )

    def _repr_html_(self) -> str:
        return self.frame()

    def __repr__(self) -> str:
        return f"picture ({self.kind}): {self.label}"


def extract(text: str) -> list[Figure]:
    """The pictures of a reply, in order, each made harmless; see `drawings` for what is one."""
    found = []
    for drawing in extract_drawings(text)[1]:
        clean = sanitise(drawing.source)
        if clean.strip():
            kind = "svg" if clean.lstrip().startswith("<svg") else "html"
            found.append(Figure(kind, clean, label_of(clean)))
    return found


def label_of(source: str) -> str:
    """What a picture is called: its aria-label, else its title, else its text, else nothing but its kind."""
    for pattern in (r'aria-label="([^"]+)"', r"<title>([^<]+)</title>"):
        if found := re.search(pattern, source):
            return html.unescape(found.group(1)).strip()
    words = html.unescape(re.sub(r"<[^>]*>", " ", source)).split()
    return " ".join(words)[:80] or "a picture without words"


def sanitise(source: str) -> str:
    """The source written anew from what may stay: known elements, known attributes, and escaped text."""
    cleaner = _Cleaner()
    cleaner.feed(source)
    cleaner.close()
    return cleaner.result()


class _Cleaner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._out: list[str] = []
        self._open: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, closed=False)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, closed=True)

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag in self._silent:
                del self._silent[len(self._silent) - 1 - self._silent[::-1].index(tag) :]
            return
        name = _CASE.get(tag, "")
        if name in self._open:
            while (inner := self._open.pop()) != name:
                self._out.append(f"</{inner}>")
            self._out.append(f"</{name}>")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._out.append(html.escape(data))

    def result(self) -> str:
        """What stays, with everything closed that was opened."""
        return "".join([*self._out, *(f"</{name}>" for name in reversed(self._open))])

    def _start(self, tag: str, attrs: list[tuple[str, str | None]], *, closed: bool) -> None:
        if self._silent or tag in _SILENT:
            if not closed:
                self._silent.append(tag)
            return
        name = _CASE.get(tag, "")
        if name not in _SVG | _HTML:
            return
        kept = "".join(
            f' {_CASE[key]}="{html.escape(value or "")}"'
            for key, value in dict(attrs).items()
            if _CASE.get(key) in _ATTRIBUTES and harmless(key, value or "")
        )
        if name in _EMPTY:
            self._out.append(f"<{name}{kept}>")
        elif closed:
            self._out.append(f"<{name}{kept}></{name}>")
        else:
            self._out.append(f"<{name}{kept}>")
            self._open.append(name)


def harmless(attribute: str, value: str) -> bool:
    """Whether an attribute leads nowhere: an address only to a part of the picture itself."""
    value = re.sub(r"[\s\0-\x1f]+", "", value).lower()
    if attribute == "href":
        return re.fullmatch(r"#[\w-]+", value) is not None
    if attribute == "xmlns":
        return value in ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml")
    return not re.search(r"javascript:|data:|expression\(|url\((?!['\"]?#)|//|\\", value)
