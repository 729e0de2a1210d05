"""The page in fewer words: nothing that a tester could use or read is lost."""

from hypothesis import given
from hypothesis import strategies as st

from muster_subagent.tools.page_view import lean, roles

PAGE = """\
"Shop" http://127.0.0.1/
- generic [active] [ref=e1]:
  - link "Home" [ref=e2] [cursor=pointer]:
    - /url: /
  - main [ref=e3]:
    - generic [ref=e4]: Category
    - combobox "Category" [ref=e5]:
      - option "All" [selected]
      - option "Bags"
    - list [ref=e6]:
      - listitem [ref=e7]:
        - generic [ref=e8]: $9.99
        - button "Add" [ref=e9] [cursor=pointer]
      - listitem [ref=e10]:
        - generic [ref=e11]: $5.00
        - button "Add" [ref=e12] [cursor=pointer]
    - button [ref=e13]
    - link "Hidden" [aria-hidden] [ref=e14]
    - paragraph [ref=e15]: Thank you."""

LEAN = """\
"Shop" http://127.0.0.1/
link "Home"
combobox "Category": [All] / Bags
listitem: $9.99 | button "Add" [e9]
listitem: $5.00 | button "Add" [e12]
button [e13]
Thank you."""

CART = """\
- table [ref=e1]:
  - rowgroup [ref=e2]:
    - row [ref=e3]:
      - columnheader "Product" [ref=e4]
      - columnheader "Quantity" [ref=e5]
      - columnheader "Remove" [ref=e6]
  - rowgroup [ref=e7]:
    - row [ref=e8]:
      - rowheader "Backpack" [ref=e9]:
        - link "Backpack" [ref=e10]:
          - /url: /backpack
      - cell [ref=e11]:
        - combobox "Quantity of Backpack" [ref=e12]:
          - option "1" [selected]
          - option "2"
      - cell [ref=e13]:
        - link "Remove Backpack" [ref=e14]:
          - generic: Remove
          - generic: Backpack
- radio "Standard" [checked] [ref=e15]
- text: Standard
- text: "Total:"
- status "Total" [ref=e16]: $29.99
- term [ref=e17]: Sent by
- definition [ref=e18]: Express
- term [ref=e19]: Remarks
- 'heading "Next: pay" [level=2] [ref=e20]'"""

LEAN_CART = """\
row: Product | Quantity | Remove
row: link "Backpack" | combobox "Quantity of Backpack": [1] / 2 | link "Remove Backpack"
radio "Standard" [checked]
status "Total": $29.99
Sent by: Express
term: Remarks
heading "Next: pay\""""


def test_a_page_is_told_without_what_says_nothing_and_with_refs_where_names_are_not_enough():
    assert lean(PAGE) == LEAN


def test_rows_are_told_in_one_line_each_and_labels_once():
    assert lean(CART) == LEAN_CART


def test_a_part_that_is_too_long_for_one_line_has_a_line_for_all_it_holds():
    long = "x" * 150
    page = f'- listitem [ref=e1]:\n  - heading "Bag" [ref=e2]\n  - text: {long}\n  - text: {long}'
    assert lean(page) == f'listitem:\n heading "Bag"\n {long}\n {long}'


def test_of_a_long_list_the_first_options_are_told_and_how_many_there_are_more():
    options = "\n".join(f'  - option "Country {number}"' for number in range(200))
    shown = lean(f'- combobox "Country" [ref=e1]:\n{options}')
    assert shown.startswith('combobox "Country": Country 0 / Country 1 / ')
    assert shown.endswith("/ Country 29 / 170 more")


def test_a_text_is_no_label_only_because_a_name_holds_its_letters():
    page = '- link "Order 12" [ref=e1]:\n  - generic [ref=e2]: "2"\n  - generic [ref=e3]: "12"'
    assert lean(page) == 'link "Order 12": 2'


def test_what_is_no_tree_stays_as_it_is():
    assert lean("Nothing on the page has that.") == "Nothing on the page has that."
    assert lean("") == ""
    assert lean("- a line (that nobody) wrote: so") == "a line (that nobody) wrote: so"


def test_what_a_page_has_to_use_is_known_by_its_roles():
    assert roles(PAGE) == {"link", "combobox", "option", "button"}
    assert roles("") == frozenset()


def test_a_page_nested_however_deep_is_told():
    page = "\n".join(f'{" " * 2 * level}- listitem "Level {level}" [ref=e{level}]:' for level in range(600))
    assert "Level 599" in lean(page)


@given(st.text(alphabet="-: \"'[]=/\nabtextref", max_size=300))
def test_whatever_stands_there_is_told_without_failing(text: str):
    assert isinstance(lean(text), str)
