"""Elements whose names take more than their own text: what a style sheet adds, what other elements
say of them, fields inside of labels, native texts, and roles.

In each case, the element with ``data-ask`` is asked, and ``@`` makes ids and classes that no other
case has.
"""

from __future__ import annotations

import re

ADDED_WORDS = {
    "words behind a button": """<style>.s@::after { content: " (sold out)" }</style>
        <button class=s@ data-ask>Buy</button>""",
    "a sign before an amount": """<style>.s@::before { content: "\\2212" }</style>
        <button class=s@ data-ask>12.50</button>""",
    "a word before a heading": """<style>.s@::before { content: "not " }</style>
        <h4 class=s@ data-ask>Approved</h4>""",
    "words alone": """<style>.s@::before { content: "Send it" }</style>
        <button class=s@ data-ask></button>""",
    "words from an attribute": """<style>.s@::after { content: " due " attr(data-due) }</style>
        <a href="#" class=s@ data-due=Friday data-ask>Invoice 7</a>""",
    "words inside of a link's part": """<style>.s@::before { content: "No " }</style>
        <a href="#" data-ask><b><i class=s@>refunds</i></b></a>""",
    "words for listeners beside a sign": """<style>.s@::before { content: "\\2605" / "starred " }
        </style><button class=s@ data-ask>Mail</button>""",
    "words in a label": """<style>.s@::after { content: " in euros" }</style>
        <label class=s@ for=f@>Price</label><input id=f@ data-ask>""",
    "words in a referenced text": """<style>.s@::before { content: "Last " }</style>
        <i id=r@ class=s@>name</i> <input aria-labelledby=r@ data-ask>""",
    "words in both places": """<style>.s@::before { content: "{" } .s@::after { content: "}" }
        </style><button class=s@ data-ask>tag</button>""",
    "words under a rule of a medium": """<style>@media screen { @supports (display: grid) {
        .s@ { &::after { content: " (beta)" } } } }</style>
        <button class=s@ data-ask>Chat</button>""",
    "words that are not displayed": """<style>.s@::after { content: " never"; display: none
        }</style>
        <button class=s@ data-ask>Try</button>""",
    "words set apart as a block": """<style>.s@::before { content: "New"; display: block }</style>
        <button class=s@ data-ask>message</button>""",
    "words by a variable": """<style>.s@ { --w: " at once" } .s@::after { content: var(--w)
        }</style>
        <button class=s@ data-ask>Stop</button>""",
    "words in a tab": """<style>.s@::after { content: " (3)" }</style>
        <div role=tab class=s@ tabindex=0 data-ask>Unread</div>""",
    "words of a checkbox": """<style>.s@::before { content: "Do not " }</style>
        <div role=checkbox class=s@ tabindex=0 data-ask>remind me</div>""",
    "words in a picture's place": """<style>.s@::before { content: "Menu" }</style>
        <a href="#" data-ask><span class=s@></span></a>""",
    "words behind an option": """<style>.s@::after { content: " (full)" }</style>
        <div role=listbox aria-label=Tours><div role=option class=s@ data-ask>Monday</div></div>""",
}

REFERENCES = {
    "two texts": """<i id=a@>Billing</i> <i id=b@>street</i>
        <input aria-labelledby="a@ b@" data-ask>""",
    "a hidden text": """<p id=a@ hidden>Search in all files</p>
        <button aria-labelledby=a@ data-ask>Go</button>""",
    "hidden words in a text that is shown": """<p id=a@>Ship <b hidden>never</b> today</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "hidden words in a hidden text": """<p id=a@ hidden>Ship <b hidden>all</b> today</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a style in a text": """<p id=a@><style>.none@ { color: red }</style>Weekly report</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a script in a text": """<p id=a@>Daily <script>void 0</script>report</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "an invisible text": """<p id=a@ style="visibility: hidden">Night mode</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "words that listeners pass over": """<p id=a@>Cancel <b aria-hidden=true>x9</b> order</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a picture": """<img id=a@ alt="Company logo" src="data:,">
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a text with a picture": """<p id=a@>Sort <img alt=upwards src="data:,"></p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a label of its own": """<p id=a@ aria-label="Close the chat">x</p>
        <button aria-labelledby=a@ data-ask>y</button>""",
    "itself and another": """<p id=a@>Report</p>
        <button id=b@ aria-label=Delete aria-labelledby="b@ a@" data-ask>x</button>""",
    "itself, with its text": """<p id=a@>chapter 2</p>
        <a href="#" id=b@ aria-labelledby="b@ a@" data-ask>Read more</a>""",
    "a field": """<input id=a@ value=Lisbon aria-label=City>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a select": """<select id=a@ aria-label=Size><option>Small<option selected>Large</select>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "a text around a select": """<p id=a@>Every <select>
        <option>day<option selected>week</select></p>
        <input type=checkbox aria-labelledby=a@ data-ask>""",
    "a text around a field": """<p id=a@>After <input value=5 size=2> tries</p>
        <input type=checkbox aria-labelledby=a@ data-ask>""",
    "a text around a slider": """<p id=a@>Up to <i role=slider aria-valuenow=4
        aria-valuetext="four stars" tabindex=0>o</i></p>
        <input type=checkbox aria-labelledby=a@ data-ask>""",
    "a host with a shadow": """<x-name id=a@><template shadowrootmode=open>Save <slot></slot>
        </template>the draft</x-name><button aria-labelledby=a@ data-ask>x</button>""",
    "a reference that is not followed": """<p id=a@ aria-labelledby=b@>First</p><p id=b@>Second</p>
        <button aria-labelledby=a@ data-ask>x</button>""",
    "nothing that exists": """<button aria-labelledby=nowhere@ data-ask>Keep</button>""",
    "an empty text": """<p id=a@></p>
        <button aria-labelledby=a@ aria-label="Log out" data-ask>x</button>""",
    "parts in lines of their own": """<div id=a@><div>Card</div><div>number</div></div>
        <input aria-labelledby=a@ data-ask>""",
    "a text and its break": """<p id=a@>Street<br>Number</p><input aria-labelledby=a@ data-ask>""",
    "the same text twice": """<p id=a@>very</p>
        <button aria-labelledby="a@ a@" data-ask>x</button>""",
    "a group of fields": """<p id=a@>Deliver to</p><div role=group aria-labelledby=a@ data-ask>
        <input aria-label=Town><input aria-label=Street></div>""",
}

LABELS = {
    "around a field, before and behind it": """<label>Wait <input value=3 data-ask> days</label>""",
    "with a select in it": """<label><input type=checkbox data-ask> Repeat every
        <select><option>day<option selected>month</select></label>""",
    "with a field in it": """<label><input type=checkbox data-ask> Remind
        <input value=10 size=2 aria-label=Minutes> minutes before</label>""",
    "with a list box in it": """<label><input type=checkbox data-ask> Notify <span role=listbox>
        <span role=option aria-selected=true>Anna</span> <span role=option>Ben</span></span>
        </label>""",
    "with a slider in it": """<label><input type=radio data-ask> Volume
        <input type=range min=0 max=10 value=7></label>""",
    "with a picture in it": """<label for=f@><img alt=Telephone src="data:,"></label>
        <input id=f@ data-ask>""",
    "two of them": """<label for=f@>Given</label><label for=f@>name</label>
        <input id=f@ data-ask>""",
    "with hidden words": """<label for=f@>Colour <span hidden>code 7</span></label>
        <input id=f@ data-ask>""",
    "of a select": """<label>Country <select data-ask><option>Peru<option>Chad</select></label>""",
    "of a text area": """<label for=f@>Message</label><textarea id=f@ data-ask>Hello</textarea>""",
    "of a meter": """<label for=f@>Disk used</label><meter id=f@ value=0.5 data-ask></meter>""",
    "of a button": """<label for=f@>Printer</label><button id=f@ data-ask>Choose</button>""",
    "of an output": """<label for=f@>Total</label><output id=f@ data-ask>12</output>""",
    "of a switch": """<label>Dark <input type=checkbox role=switch data-ask></label>""",
}

NATIVE = {
    "a picture's alternative": """<img alt="A red bicycle" src="data:," data-ask>""",
    "a picture's title": """<img title="Site plan" src="data:," data-ask>""",
    "a drawing's title": """<svg role=img width=20 height=20 data-ask><title>Growth</title>
        <rect width=9 height=9 /></svg>""",
    "a picture as a button": """<input type=image alt="Send form" src="data:," data-ask>""",
    "a button's value": """<input type=button value="Add row" data-ask>""",
    "a submit button without words": """<input type=submit data-ask>""",
    "a reset button without words": """<input type=reset data-ask>""",
    "a field's title": """<input title="Postal code" data-ask>""",
    "a field's placeholder": """<input placeholder="Your e-mail" data-ask>""",
    "a link around a picture": """<a href="#" data-ask><img alt=Home src="data:,"></a>""",
    "a link of words and a picture": """<a href="#" data-ask>Go <img alt=north src="data:,"></a>""",
    "a button with a drawing": """<button data-ask><svg width=9 height=9><title>Print</title>
        <rect width=9 height=9 /></svg></button>""",
    "a link's title": """<a href="#" title="Latest news" data-ask></a>""",
    "a legend": """<fieldset data-ask><legend>Payment</legend><input aria-label=Card></fieldset>""",
    "a summary": """<details><summary data-ask>Shipping</summary>Two days</details>""",
    "a label before a text": """<button aria-label="Close window" data-ask>x</button>""",
    "an empty label": """<button aria-label=" " data-ask>Fold</button>""",
    "a field in a heading": """<h4 data-ask>Repeat <input value=5 aria-label=Count> times</h4>""",
    "a select in a heading": """<h4 data-ask>Sort by <select><option>name<option selected>age
        </select> now</h4>""",
    "hidden words in a button": """<button data-ask>Add <i hidden>two</i> item</button>""",
    "a button in lines": """<button data-ask><div>Room</div><div>204</div></button>""",
}

ROLES = {
    "the first role that is known": """<div role="foo button" tabindex=0 data-ask>Roll</div>""",
    "an editor with a hint": """<div contenteditable role=textbox aria-placeholder="Write here"
        data-ask></div>""",
    "no role that is known": """<button role=foo data-ask>Turn</button>""",
    "a heading with a role that is not known": """<h4 role=title data-ask>Chapter</h4>""",
    "a role in capitals": """<div role=BUTTON tabindex=0 data-ask>Lift</div>""",
    "a button that says that it is none": """<button role=none data-ask>Push</button>""",
    "a link that says that it is presentation": """<a href="#" role=presentation
        data-ask>Top</a>""",
    "a field with a list": """<input list=l@ aria-label=Fruit data-ask><datalist id=l@><option>Fig
        </datalist>""",
    "a field of a search": """<input type=search aria-label=Find data-ask>""",
    "a field of an address": """<input type=email aria-label=Mail data-ask>""",
    "a list that shows several": """<select size=3 aria-label=Days data-ask><option>Mon<option>Tue
        </select>""",
    "a slider": """<input type=range aria-label=Zoom data-ask>""",
    "a number": """<input type=number aria-label=Count data-ask>""",
    "an editor": """<div contenteditable=true role=textbox aria-label=Note data-ask>Hi</div>""",
    "a tick": """<input type=checkbox aria-label=Agree data-ask>""",
    "a bar": """<progress value=0.3 aria-label=Upload data-ask></progress>""",
}

KINDS = {
    "added": ADDED_WORDS,
    "reference": REFERENCES,
    "label": LABELS,
    "native": NATIVE,
    "role": ROLES,
}
OWN_MARK = re.compile(r"@(?!media|supports)")


def page_of(cases: dict[str, str]) -> str:
    """All cases in one page, each below a heading that says its number."""
    parts = (
        f"<h3>case {n}</h3><div>{OWN_MARK.sub(f'-{n}', html)}</div>"
        for n, html in enumerate(cases.values())
    )
    return "<!doctype html><meta charset=utf-8><body>" + "".join(parts)
