"""What a person sees on the screens of ``tests/component_libraries``, as lines of the prompt.

The numbers of the elements are left out. The lines stand in the order of the screen.
"""

from __future__ import annotations

FACTS = {
    "mui": """
[heading] "Order 4711" (level=1)
[tab] "CUSTOMER" (selected=false)
[tab] "DELIVERY" (selected=true)
[tab] "INVOICE" (selected=false, disabled)
[combobox] "City" (value="Oslo", expanded=false)
[button] "Bergen"
[combobox] "Stops" (expanded=false, shows "Bergen", placeholder="Add a stop")
[combobox] "Rush" (value="Two days", expanded=false)
[textbox] "Weight *" (value="abc", required, invalid=true, note="Give a number of kilograms")
[text] "Give a number of kilograms"
[switch] "Insured" (checked=true)
[switch] "Fragile" (checked=false)
[checkbox] "All items" (checked=mixed)
[checkbox] "Cash on delivery" (checked=false, disabled)
[text] "Payment"
[radio] "Card" (checked=true)
[radio] "Bill" (checked=false)
[slider] "Temperature" (value="30°C", min=0, max=100, step=1)
[button] "LEFT" (pressed=true)
[button] "RIGHT" (pressed=false)
[text] "Packed"
[text] "Shipped"
[text] "Delivered"
[clickable] "First"
[button] "Second"
[clickable] "Third"
[radio] "2 Stars" (checked=false)
[radio] "3 Stars" (checked=true)
[progressbar] "Packing" (value="64")
[text] "7"
[text] "Note" (note="Leave at the door")
[button] "Print the label"
[button] "History" (expanded=false)
[button] "Go to previous page"
[button] "page 2" (current=page)
[button] "Go to page 3"
[button] "Go to next page"
[button] "CANCEL ORDER"
""",
    "mui_x": """
[heading] "People" (level=1)
[row] "| ☐ | ID | First name | Last name | Age Sort | Paid | |"
[clickable] "ID" (sort=none)
[clickable] "Age" (sort=descending)
[row] "| ☐ | 3 | Jaime | Lannister | 45 | yes |" (selected=false, clickable)
[row] "| ☐ | 6 | Ferrara | Clifford | 44 | yes |" (selected=false, clickable)
[row] "| ☐ | 2 | Cersei | Lannister | 42 | no |" (selected=false, clickable)
[row] "| ☐ | 1 | Jon | Snow | 35 | yes |" (selected=false, clickable)
[combobox] "Rows per page:" (value="5", expanded=false)
[text] "1–5 of 7"
[button] "Go to previous page" (disabled)
[button] "Go to next page"
[text] "Start date"
[spinbutton] "Month" (value="April", text="04")
[spinbutton] "Day" (value="17th", text="17")
[spinbutton] "Year" (value="2026", text="2026")
[button] "Choose date, selected date is Apr 17, 2026"
[text] "Start time"
[spinbutton] "Hours" (value="3", text="03")
[spinbutton] "Meridiem" (value="1", text="PM")
[clickable] "February 2025"
[button] "Previous month"
[row] "S | M | T | W | T | F | S"
[row] "9 | 10 | 11 | 12 | 13 | 14 | 15"
""",
    "antd": """
[heading] "Account" (level=1)
[alert] "exclamation-circle Your plan ends on 30 June close"
[button] "close"
[text] "Plan"
[row] "Product | Cloud database | Region | eu-west-1 | Status | Running"
[textbox] "Username" (value="ida", required)
[combobox] "Favourite colour" (expanded=false, readonly, shows "Green")
[combobox] "Teams" (expanded=false, readonly, shows "Blue")
[spinbutton] "Seats" (value="3")
[textbox] "Renewal" (value="2026-06-30")
[combobox] "Place" (expanded=false, readonly, shows "Zhejiang / Hangzhou")
[text] "Newsletter"
[switch] "on off" (checked=true)
[slider] "Discount" (value="35")
[radio] "Small" (checked=false)
[radio] "Medium" (checked=true)
[checkbox] "Mail" (checked=false)
[checkbox] "Phone" (checked=true)
[checkbox] "Check all" (checked=mixed)
[radio] "Daily" (checked=false)
[radio] "Weekly" (checked=true)
[text] "Finished"
[text] "In progress"
[text] "72%"
[tab] "People" (selected=false)
[tab] "Rights" (selected=true)
[text] "Two rights are open"
[row] "⊟ | Name | Age filter | Tags | Action"
[checkbox] "Select all" (checked=mixed)
[clickable] "Name" (sort=ascending)
[row] "☑ | Jim Green | 42 | LOSER | Invite Jim Green" (clickable)
[link] "Invite Jim Green" → #/invite/2
[row] "☐ | Joe Black | 17 | | Invite Joe Black" (clickable)
[clickable] "1"
[clickable] "2"
[checkbox] "Select Root" (checked=mixed)
[checkbox] "Select Leaf one" (checked=true)
[button] "Close account"
""",
    "ag_grid": """
[heading] "Cars" (level=1)
[row] "Model | ☐ | Make | Price | Electric"
[clickable] "Make" (sort=none)
[clickable] "Price" (sort=ascending)
[row] "Model 1 | ☐ | Tesla | € 20,000 | ☑" (selected=false)
[row] "Model 80 | ☐ | Ford | € 20,100 | ☐" (selected=false)
[row] "Model 159 | ☐ | Toyota | € 20,200 | ☐" (selected=false)
[combobox] "Page Size" (value="50", expanded=false)
[button] "Previous Page" (disabled)
[spinbutton] "Page number, 1 of 4" (value="1", number, min=1, max=4, step=any)
[button] "Next Page"
""",
    "shoelace": """
[heading] "Device" (level=1)
[text] "Lamp"
[button] "Settings"
[text] "Power 1,234.5 W offline"
[button] "Reset device"
[slider] "Rating" (value="4")
[tab] "Use" (selected=false)
[tab] "Log" (selected=true)
[text] "Restarted at 04:10"
[textbox] "Name" (value="Kitchen", note="Shown in the app")
[button] "Clear entry"
[textbox] "Comment" (multi-line, empty)
[combobox] "Room" (value="Hall", expanded=false, readonly)
[clickable] "Night Day"
[combobox] "Groups" (value="2 options selected", expanded=false, readonly)
[checkbox] "All lamps" (checked=mixed)
[checkbox] "Dimmable" (checked=true)
[switch] "Motion" (checked=true)
[switch] "Alarm" (checked=false, disabled)
[slider] "Brightness" (value="65", min=0, max=100, step=1)
[radio] "Cold" (checked=false)
[radio] "Warm" (checked=true)
[button] "Firmware" (expanded=false)
[progressbar] "Update" (value="40")
[text] "ceiling"
[treeitem] "Floor" (selected=false, expanded=true)
[checkbox] "" (checked=mixed)
[treeitem] "Lamp one" (selected=true, level=2)
[treeitem] "Lamp two" (selected=false, level=2)
""",
    "fluent": """
[heading] "Files" (level=1)
[tab] "Own" (selected=false)
[tab] "Shared" (selected=true)
[textbox] "Folder name" (value="Plans", invalid=true, note="This name is taken")
[alert] "This name is taken"
[combobox] "Owner" (value="Erika", expanded=false)
[combobox] "Reader" (expanded=false, empty, placeholder="Choose a reader")
[spinbutton] "Copies" (value="4")
[slider] "Quality" (value="70")
[text] "Layout"
[radio] "List" (checked=false)
[radio] "Grid" (checked=true)
[switch] "Synchronised" (checked=true)
[switch] "Offline" (checked=false, disabled)
[checkbox] "All folders" (checked=mixed)
[button] "Pinned" (pressed=true)
[button] "draft"
[img] "available"
[text] "Kevin Sturgis"
[text] "Available"
[progressbar] "Upload" (value="0.6", note="3 of 5 files")
[button] "View"
[row] "⊟ | File | Author | Size" (selected=false, clickable)
[button] "File" (sort=descending)
[row] "☑ | Training recording | John Doe | 8100 KB" (selected=true, clickable)
[row] "☐ | Thursday presentation | Erika Mustermann | 240 KB" (selected=false, clickable)
[row] "☐ | Meeting notes | Max Mustermann | 12 KB" (selected=false, clickable)
[button] "Empty the bin"
[text] "Bin: open"
""",
    "react_select": """
[heading] "Ice cream" (level=1)
[combobox] "Flavour" (expanded=false, shows "Vanilla")
[text] "Strawberry"
[button] "Remove Strawberry"
[button] "Remove Salted caramel"
[combobox] "Toppings" (expanded=false, shows "Strawberry, Salted caramel")
[combobox] "Cup" (expanded=false, readonly, shows "Choose a cup", note="Choose a cup")
[text] "Shop"
[text] "Old town"
[combobox] "Notes" (expanded=false, shows "Select...", note="Select...")
[text] "Chosen: Vanilla"
""",
    "editors": """
[heading] "Editors" (level=1)
[button] "Bold" (pressed=false)
[textbox] "" (value="Release notes ⏎ This is bold and slanted. ⏎ First point ⏎ Second point ⏎ npm test", multi-line)
[heading] "Script" (level=2)
[textbox] "" (value="function greet(name) { ⏎   return "Hello " + name; ⏎ }", multi-line)
""",  # noqa: E501 - a line of the prompt
    "virtuoso": """
[heading] "Members" (level=1)
[scroller] "Members" (scrolled 0 of 29,700)
[text] "User 0 joined in 1000"
[button] "Invite"
[text] "User 1 joined in 1001"
[row] "Name | Mail"
[row] "User 0 | user0@example.org"
[row] "User 8 | user8@example.org"
""",
    "dnd_kit": """
[heading] "Priorities" (level=1)
[text] "Order: Write, Test, Ship"
[heading] "Guests" (level=2)
[text] "⠿ Ada"
[text] "Order: Ada, Bob, Cyd"
""",
}
