"""The page in fewer words: nothing that a tester could use or read is lost."""

from muster_subagent.agent.view import lean

PAGE = """\
"Shop" http://127.0.0.1/
- generic [active] [ref=e1]:
  - link "Home" [ref=e2] [cursor=pointer]:
    - /url: /
  - main [ref=e3]:
    - generic [ref=e4]: Category
    - combobox "Category" [ref=e5]:
      - option "All" [selected]
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
- link "Home"
- combobox "Category":
 - option "All" [selected]
- listitem:
 - $9.99
 - button "Add" [ref=e9]
- listitem:
 - $5.00
 - button "Add" [ref=e12]
- button [ref=e13]
- Thank you."""


def test_a_page_is_told_without_what_says_nothing_and_with_refs_where_names_are_not_enough():
    assert lean(PAGE) == LEAN


def test_what_is_no_tree_stays_as_it_is():
    assert lean("Nothing on the page has that.") == "Nothing on the page has that."
    assert lean("") == ""
