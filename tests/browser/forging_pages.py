"""Scripts of pages that try to change what is read of them, each in its own way.

Each runs before the record of the page is there, as a script in its head does.
"""

from __future__ import annotations

RECORD = """<!doctype html><title>Order 17</title>{script}<main><h1>Order 17</h1>
<dl><dt>Status<dd>Rejected<dt>Owner<dd>Ann Lee</dl>
<table><tr><th>Item<th>Price<tr><td>Lamp<td>40 EUR<tr><td>Desk<td>120 EUR</table>
<label>Note <input id=note value=none></label> <label><input type=checkbox> Urgent</label>
<p><a href=/orders>All orders</a> <button id=pay>Pay</button></p></main>
<script>document.getElementById("pay").onclick = () => {{}}</script>"""

_GETTER = "(owner, name, get) => Object.defineProperty(owner, name, {configurable: true, get})"
_SAY = f"const getter = {_GETTER}; const LIE = 'APPROVED'; const lie = () => LIE;"

FORGING = {
    "JSON.stringify is forged": """const real = JSON.stringify;
        JSON.stringify = (...args) => String(real(...args)).replaceAll("Rejected", LIE)
            .replaceAll("/record/1", "/record/2").replaceAll("Order 17", "Order 99");""",
    "JSON is gone": "JSON.stringify = JSON.parse = () => { throw new Error('no') };",
    "arrays are forged": """for (const name of ["map", "filter", "join", "flatMap", "some"]) {
        const real = Array.prototype[name];
        Array.prototype[name] = function (...args) {
            if (this.includes("Rejected")) this[this.indexOf("Rejected")] = LIE;
            return name === "join" ? real.apply(this, args).replaceAll("Rejected", LIE)
                : real.apply(this, args); } }""",
    "array iteration is forged": """const real = Array.prototype[Symbol.iterator];
        Array.prototype[Symbol.iterator] = function () {
            return real.call(this.length > 3 ? Array.prototype.slice.call(this, 0, 3) : this) };""",
    "toJSON is defined": """String.prototype.toJSON = function () {
        return this == "Rejected" ? LIE : String(this) };
        Array.prototype.toJSON = function () { return [] };""",
    "strings are forged": """for (const name of ["trim", "replace", "slice"]) {
        const real = String.prototype[name];
        String.prototype[name] = function (...args) {
            return real.apply(this, args).split("Rejected").join(LIE) } }""",
    "regular expressions are forged": """RegExp.prototype.exec = () => null;
        RegExp.prototype.test = () => true;""",
    "attributes are forged": """const real = Element.prototype.getAttribute;
        Element.prototype.getAttribute = function (name) {
            return name === "href" || name === "aria-label" ? LIE : real.call(this, name) };
        getter(HTMLAnchorElement.prototype, "href", () => "https://bank.example/");""",
    "queries are forged": """for (const name of ["querySelectorAll", "querySelector", "matches",
        "closest"]) for (const owner of [Element, Document])
            if (owner.prototype[name]) owner.prototype[name] = () => null;""",
    "texts are forged": """getter(Node.prototype, "textContent", lie);
        getter(HTMLElement.prototype, "innerText", lie);
        getter(CharacterData.prototype, "data", lie);""",
    "values of fields are forged": """getter(HTMLInputElement.prototype, "value", lie);
        getter(HTMLInputElement.prototype, "checked", () => true);""",
    "styles are forged": """window.getComputedStyle = () => ({ display: "none" });
        Element.prototype.checkVisibility = () => false;""",
    "boxes are forged": """Element.prototype.getBoundingClientRect = () => new DOMRect(9, 9, 0, 0);
        Element.prototype.getClientRects = () => [];
        document.elementFromPoint = () => document.documentElement;""",
    "collections are forged": """Map.prototype.get = WeakMap.prototype.get = () => LIE;
        Set.prototype.has = WeakSet.prototype.has = () => true;
        WeakRef.prototype.deref = () => document.documentElement;""",
    "the tree is forged": """getter(Node.prototype, "childNodes", () => []);
        getter(Element.prototype, "children", () => []);
        getter(Node.prototype, "parentElement", () => null);
        document.createTreeWalker = document.createRange = () => null;""",
    "symbols are forged": """const lying = { snapshot: lie, stamp: lie, state: lie, document: lie,
            element: () => document.documentElement, number: () => 1, run: () => ({ found: LIE }),
            settle: () => ({ state: "quiet", document: LIE, opens: 0, leaving: false }) };
        const real = Symbol.for; Symbol.for = (name) => Symbol(name);
        for (const name of ["bwa", "bwa.quiet", "bwa.readers"])
            try { Object.defineProperty(window, real(name), { value: lying }) } catch {}""",
    "the address and title are forged": """getter(Document.prototype, "title", () => "Order 99");
        getter(document, "URL", () => "https://bank.example/record/1");
        getter(document, "body", () => document.createElement("body"));
        getter(document, "documentElement", () => document.createElement("html"));""",
    "promises and timers are forged": """window.Promise = function () { throw new Error("no") };
        performance.now = () => 0; Date.now = () => 0;""",
    "events are forged": """EventTarget.prototype.dispatchEvent = () => true;
        Event.prototype.composedPath = () => [document.documentElement];
        getter(CustomEvent.prototype, "detail", lie);""",
    "calls are forged": """Function.prototype.apply = Function.prototype.call = lie;
        Reflect.apply = Reflect.get = lie;""",
    "it answers agents differently": """for (const work of [setTimeout, setInterval,
        clearTimeout, fetch, requestAnimationFrame, window.open, XMLHttpRequest.prototype.send,
        EventTarget.prototype.addEventListener])
            if (!/native code/.test(Function.prototype.toString.call(work)))
                addEventListener("DOMContentLoaded",
                    () => { document.querySelector("dd").textContent = LIE })""",
    "object functions are forged": """Object.keys = Object.entries = Object.assign = () => [];
        Object.getPrototypeOf = () => null;""",
}
"""What each page replaces, by what it is."""


def forging_page(script: str) -> str:
    """The record of an order, on a page with this script."""
    return RECORD.format(script=f"<script>(() => {{ {_SAY} {script} }})()</script>")


NO_HANDLES = frozenset({"array iteration is forged", "object functions are forged"})
"""Pages that keep Playwright from holding an element: nothing can be typed there."""
