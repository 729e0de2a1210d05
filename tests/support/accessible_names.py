"""What names elements, by the specification of accessible names: markup whose element `id=x` has a name.

The cases follow the chapters of the web-platform-tests of accessible names; each is a fact about markup, written anew.
"""

from typing import NamedTuple


class Named(NamedTuple):
    """Markup, and the name of its element `id=x`."""

    about: str
    body: str
    name: str


SLOTTED = "<script>h.attachShadow({{mode:'open'}}).innerHTML=`{}`</script>"

NAMES = [
    Named("content: a button", "<button id=x>Save</button>", "Save"),
    Named("content: a heading", "<h2 id=x>Save</h2>", "Save"),
    Named("content: a link", "<a href=# id=x>Save</a>", "Save"),
    Named("content: before", "<style>#x::before{content:'New '}</style><button id=x>file</button>", "New file"),
    Named("content: after", "<style>#x::after{content:' now'}</style><a href=# id=x>Save</a>", "Save now"),
    Named(
        "content: alternative text of a style",
        "<style>#x::before{content:'★' / 'Star '}</style><button id=x>it</button>",
        "Star it",
    ),
    Named(
        "content: a style that is not read aloud",
        "<style>#x::before{content:'★' / ''}</style><button id=x>Rate</button>",
        "Rate",
    ),
    Named("content: a style in a child", "<style>#x i::before{content:'×'}</style><button id=x><i></i></button>", "×"),
    Named("content: right to left", "<button id=x dir=rtl>שמור</button>", "שמור"),
    Named("content: a picture", "<button id=x><img alt=Search src=data:,></button>", "Search"),
    Named("content: a picture and text", "<button id=x><img alt=New src=data:,> file</button>", "New file"),
    Named("content: a picture without a name", "<button id=x><img alt='' src=data:,>Save</button>", "Save"),
    Named("content: inline pieces", "<button id=x><b>Sa</b><i>ve</i></button>", "Save"),
    Named("content: blocks", "<a href=# id=x><div>Save</div><div>all</div></a>", "Save all"),
    Named("content: a break", "<button id=x>Save<br>all</button>", "Save all"),
    Named("content: white space", "<button id=x>\n  Save \t all\n</button>", "Save all"),
    Named("content: a part that is hidden", "<button id=x>Save<span hidden> all</span></button>", "Save"),
    Named(
        "content: a part that is invisible",
        "<button id=x>Save<span style=visibility:hidden> all</span></button>",
        "Save",
    ),
    Named(
        "content: a part that is not read aloud", "<button id=x>Save<span aria-hidden=true> ✓</span></button>", "Save"
    ),
    Named("content: a labelled part", "<button id=x>Save <span role=img aria-label=all></span></button>", "Save all"),
    Named("content: a row", "<table><tr id=x><td>Ada<td>5</table>", "Ada 5"),
    Named("content: a menu item", "<div role=menu><div role=menuitem id=x>Copy</div></div>", "Copy"),
    Named("content: a tab", "<div role=tablist><div role=tab id=x>One</div></div>", "One"),
    Named("content: a summary", "<details><summary id=x>More</summary>All</details>", "More"),
    Named("label: over content", "<button id=x aria-label=Close>×</button>", "Close"),
    Named("label: empty counts as none", "<button id=x aria-label=' '>Save</button>", "Save"),
    Named("label: a landmark", "<nav id=x aria-label=Main><a href=#>Home</a></nav>", "Main"),
    Named("label: a dialog", "<div role=dialog id=x aria-label=Sure>Text</div>", "Sure"),
    Named("label: a group", "<div role=group id=x aria-label=Sizes>Text</div>", "Sizes"),
    Named("label: a picture over its alt", "<img id=x alt=a aria-label=Logo src=data:,>", "Logo"),
    Named("labelledby: another element", "<span id=l>Name</span><input id=x aria-labelledby=l>", "Name"),
    Named(
        "labelledby: two",
        "<span id=l>First</span><span id=m>name</span><input id=x aria-labelledby='l m'>",
        "First name",
    ),
    Named(
        "labelledby: itself",
        "<span id=l>Delete</span><button id=x aria-label=file aria-labelledby='l x'>×</button>",
        "Delete file",
    ),
    Named("labelledby: before label", "<span id=l>Name</span><input id=x aria-label=no aria-labelledby=l>", "Name"),
    Named("labelledby: nothing there", "<input id=x aria-label=Name aria-labelledby=none>", "Name"),
    Named("labelledby: what is hidden", "<span id=l hidden>Name</span><input id=x aria-labelledby=l>", "Name"),
    Named(
        "labelledby: what has a hidden part",
        "<span id=l>Name<b hidden> no</b></span><input id=x aria-labelledby=l>",
        "Name",
    ),
    Named(
        "labelledby: not followed twice",
        "<span id=k>no</span><span id=l aria-labelledby=k>Name</span><input id=x aria-labelledby=l>",
        "Name",
    ),
    Named("labelledby: a picture", "<img id=l alt=Name src=data:,><input id=x aria-labelledby=l>", "Name"),
    Named("html: label for", "<label for=x>Name</label><input id=x>", "Name"),
    Named("html: label around", "<label>Name <input id=x></label>", "Name"),
    Named("html: two labels", "<label for=x>First</label><label for=x>name</label><input id=x>", "First name"),
    Named("html: a label with a picture", "<label><img alt=Search src=data:,><input id=x></label>", "Search"),
    Named(
        "html: a label with a style",
        "<style>label::before{content:'Your '}</style><label for=x>name</label><input id=x>",
        "Your name",
    ),
    Named("html: a value of a button", "<input type=button id=x value=Save>", "Save"),
    Named("html: a button that sends", "<input type=submit id=x>", "Submit"),
    Named("html: a picture that sends", "<input type=image id=x alt=Go src=data:,>", "Go"),
    Named("html: a placeholder", "<input id=x placeholder='Your name'>", "Your name"),
    Named("html: a title before a placeholder", "<input id=x title=Name placeholder='Ada'>", "Name"),
    Named("html: a fieldset", "<fieldset id=x><legend>Sizes</legend><input></fieldset>", "Sizes"),
    Named("html: a table", "<table id=x><caption>Prices</caption><tr><td>1</table>", "Prices"),
    Named("html: a figure", "<figure id=x><img src=data:,><figcaption>Sales</figcaption></figure>", "Sales"),
    Named("html: a picture", "<img id=x alt=Logo src=data:,>", "Logo"),
    Named("svg: a title", "<svg id=x role=img width=9 height=9><title>Menu</title></svg>", "Menu"),
    Named("svg: a title in a button", "<button id=x><svg width=9 height=9><title>Menu</title></svg></button>", "Menu"),
    Named("svg: a label", "<button id=x><svg width=9 height=9 aria-label=Menu role=img></svg></button>", "Menu"),
    Named(
        "embedded: a field in a label",
        "<label><input type=checkbox id=x> Flash <input value=3 aria-label=n> times</label>",
        "Flash 3 times",
    ),
    Named(
        "embedded: a list in a label",
        "<label><input type=checkbox id=x> Flash <select><option>1<option selected>2</select> times</label>",
        "Flash 2 times",
    ),
    Named(
        "embedded: a slider in a label",
        "<label><input type=checkbox id=x> Flash <span role=slider aria-valuenow=4 aria-valuetext=four>"
        "</span> times</label>",
        "Flash four times",
    ),
    Named("tooltip: of a button", "<button id=x title=Bold></button>", "Bold"),
    Named("tooltip: not before content", "<button id=x title=no>Save</button>", "Save"),
    Named("tooltip: of a field", "<input id=x title=Name>", "Name"),
    Named(
        "shadow: a slot",
        "<button id=x><span id=h>slotted</span></button>" + SLOTTED.format("foo <slot></slot> bar"),
        "foo slotted bar",
    ),
    Named(
        "shadow: a slot with a default",
        "<button id=x><span id=h></span></button>" + SLOTTED.format("foo <slot>default</slot> bar"),
        "foo default bar",
    ),
    Named(
        "shadow: a label with a slot",
        "<label for=x><span id=h>slotted</span></label><input id=x>" + SLOTTED.format("foo <slot></slot> bar"),
        "foo slotted bar",
    ),
    Named(
        "shadow: labelledby of a host",
        "<span id=l><span id=h></span></span><input id=x aria-labelledby=l>" + SLOTTED.format("inside"),
        "inside",
    ),
    Named("shadow: what is not slotted", "<button id=x><span id=h>no</span></button>" + SLOTTED.format("yes"), "yes"),
]
