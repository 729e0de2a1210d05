"""Situations about fields and what is named: what they hold and belong to."""

from situations import Situation, shadow

FIELDS = [
    Situation(
        "rich text",
        "<div contenteditable role=textbox aria-label=Notes style='min-height:40px'></div>",
        ('The "Notes" field is "Call Ada"',),
        ('The "Notes" field is empty', 'The "Notes" field is "Call"'),
        'Type "Call Ada" into the "Notes" field',
    ),
    Situation(
        "a date",
        "<label>Due <input type=date></label>",
        ('The "Due" field is "2026-01-31"',),
        ('The "Due" field is "2026-01-30"',),
        'Type "2026-01-31" into the "Due" field',
    ),
    Situation(
        "a colour",
        "<label>Colour <input type=color></label>",
        ('The "Colour" field is "#ff0000"',),
        ('The "Colour" field is "#000000"',),
        'Type "#ff0000" into the "Colour" field',
    ),
    Situation(
        "a slider",
        "<label>Volume <input type=range></label>",
        ('The "Volume" field is "30"',),
        ('The "Volume" field is "50"',),
        'Type "30" into the "Volume" field',
    ),
    Situation(
        "keys",
        "<label>Find <input id=f></label><p id=o></p><script>f.onkeyup=()=>{o.textContent='Found '+f.value}</script>",
        ('"Found mug" is visible',),
        ('"Lost mug" is visible',),
        'Type "mug" into the "Find" field',
    ),
    Situation(
        "a message that goes",
        "<div role=status id=s></div><button onclick=\"s.textContent='Saved';setTimeout(()=>s.textContent='',400)\">Save</button>",
        ('"Saved" is visible',),
        ('"Lost" is visible',),
        'Click "Save"',
    ),
    Situation(
        "a password",
        "<label>Password <input type=password value=secret99></label>",
        (),
        ('The text "secret99" is visible',),
    ),
    Situation(
        "a hint is no value",
        "<label>Name <input placeholder=Ada></label>",
        ('The "Name" field is empty',),
        ('The "Name" field is "Ada"',),
    ),
    Situation(
        "a field that is hidden behind its twin",
        "<input type=hidden name=q value=9><label>Total <input value=5></label>",
        ('The "Total" field is "5"',),
        ('The "Total" field is "9"',),
    ),
    Situation(
        "fields of a name",
        "<label>Name <input value=a></label><label>Name <input value=b></label>",
        (),
        ('The "Name" field is "a"', 'The "Name" field is "b"', 'The "Name" field is empty'),
    ),
    Situation(
        "a list of several",
        "<label>Sizes <select multiple><option selected>S<option>M<option selected>L</select></label>",
        ('The "Sizes" field is "S, L"',),
        ('The "Sizes" field is "S"', 'The "Sizes" field is "M"'),
    ),
    Situation(
        "a text of which the field has a part",
        "<label>Name <input maxlength=3 value=Bar></label>",
        ('The "Name" field is "Bar"',),
        ('The "Name" field is "Barbara"',),
    ),
]


NAMED = [
    Situation(
        "two tables",
        "<table><tr><td>1</table><table><tr><td>2</table>",
        (),
        ('The table contains "1"', 'The table contains "2"'),
    ),
    Situation("a single table", "<table><tr><td>1</table>", ('The table contains "1"',), ('The table contains "2"',)),
    Situation(
        "a single field for search",
        "<input type=search><input>",
        ("The search field is empty",),
        ('The search field is "x"',),
    ),
    Situation(
        "a cross that a style draws",
        "<style>.x::after{content:'×'}</style><button class=x></button>",
        ('There is 1 "×" button',),
        ('There is no "×" button',),
    ),
    Situation(
        "a cross in a picture",
        "<button><svg width=9 height=9><title>×</title><path d='M0 0L9 9'/></svg></button>",
        ('The "×" button is visible',),
        ('There is no "×" button',),
    ),
    Situation(
        "a picture in a button",
        "<button><img alt=Search src=data:,></button>",
        ('The "Search" button is visible',),
        ('There is no "Search" button',),
    ),
    Situation(
        "a picture with text",
        "<div id=o><svg width=90 height=30 role=img><text y=20>Sum 42</text></svg><p>Other</p></div>",
        ('"Sum 42" is visible',),
        ('The "Sum 42" button is visible',),
    ),
    Situation(
        "a button of a custom element",
        shadow("<button><slot></slot></button>", "<x-a>Send</x-a>"),
        ('There is 1 "Send" button',),
        ('There is no "Send" button', 'There are 2 "Send" buttons'),
    ),
    Situation(
        "a link that looks like a button",
        "<a href=# class=btn>Send</a>",
        ('The "Send" link is visible',),
        ('There is no "Send" link',),
    ),
    Situation(
        "a label over its field",
        "<style>.b{position:relative;width:200px}label{position:absolute;left:4px;top:4px;pointer-events:none}</style><div class=b>"
        "<input id=n value=''><label for=n>Name</label></div>",
        ('The "Name" field is "Ada"',),
        ('The "Name" field is empty',),
        'Type "Ada" into the "Name" field',
    ),
    Situation(
        "a menu elsewhere in the document",
        "<button aria-haspopup=menu aria-controls=m onclick='m.hidden=false'>More</button><p>Body</p><div id=m role=menu hidden "
        "style='position:fixed;top:50px;left:9px;background:#fff'><div role=menuitem>Edit</div></div>",
        ('The "Edit" menu item is visible', 'The menu shows "Edit"'),
        ('The menu shows "Body"',),
        'Click "More"',
    ),
    Situation(
        "an element without a box",
        "<button style='display:contents'>Go</button>",
        ('The "Go" button is visible',),
        ('There is no "Go" button',),
    ),
    Situation(
        "a button in two frames",
        "<button>Go</button><iframe srcdoc='<button>Go</button>'></iframe>",
        ('There are 2 "Go" buttons',),
        ('There is 1 "Go" button', 'There is no "Go" button'),
    ),
    Situation(
        "a name in other letters",
        "<button>Cafe&#769;</button>",
        ('The "Café" button is visible',),
        ('There is no "Café" button',),
    ),
    Situation(
        "a name from right to left",
        "<div dir=rtl><button>&#8207;שמור</button></div>",
        ('The "שמור" button is visible',),
        ('There is no "שמור" button',),
    ),
    Situation(
        "a button that is not there yet counts as none",
        "<button hidden>Go</button><p>Body</p>",
        ('There is no "Go" button',),
        ('The "Go" button is visible',),
    ),
    Situation(
        "a name that is in another",
        "<button>Save as draft</button>",
        (),
        ('There are 2 "Save as draft" buttons', 'There is no "Save as draft" button'),
    ),
    Situation(
        "a grid of cards",
        "<section><h3>Lamp</h3><p>5</p><button>Buy</button></section><section><h3>Mug</h3><p>6</p><button disabled>Buy</button></section>",
        ('The "Buy" button in the "Lamp" section is enabled', 'The "Buy" button in the "Mug" section is disabled'),
        ('The "Buy" button in the "Lamp" section is disabled', 'The "Lamp" section contains "6"'),
    ),
]
