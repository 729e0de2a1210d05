"""Verbs of actions and of expectations, each with the words that mean the same. Data."""

ACTIONS = {
    "open": "opens, is navigating to, open up, go to, goes to, navigate to, navigates to, browse to, browses to, "
    "surf to, head to, visit, "
    "visits, load, loads, navigate directly to, go directly to, navigate straight to, go straight to, head over to, "
    "jump to, navigate browser to, point browser to, point browser at, access, accesses, proceed to, proceeds to, "
    "return to, returns to",
    "go back": "goes back, navigate back, navigates back, go back to previous page, "
    "navigate back to previous page, return to previous page, go to previous page, "
    "go back one page, move backward one page, move back one page",
    "go forward": "goes forward, navigate forward, navigates forward, go forward one page, move forward one page",
    "reload": "reloads, refresh, refreshes",
    "click": "clicks, click on, clicks on, click at, click upon, tap, taps, tap on, taps on, left-click, "
    "left-click on, "
    "left click, left click on, follow, follows, single click, single click on, hit on, click onto, "
    "touch, touches, touch on, touches on",
    "ctrl+click": "ctrl-click, ctrl click, control+click, control-click, control click, ctrl+click on, ctrl-click on",
    "shift+click": "shift-click, shift click, shift+click on, shift-click on",
    "alt+click": "alt-click, alt click, alt+click on, alt-click on",
    "meta+click": "meta-click, cmd+click, cmd-click, cmd click, command+click, command-click, command click",
    "press": "presses, press on, presses on, hit, hits, push, pushes",
    "double-click": "double-clicks, double-click on, double click, double click on, double clicks, doubleclick, "
    "doubleclicks, doubleclick on, double clicks on, double-clicks on, "
    "double-tap, double-taps, double-tap on, double tap, double tap on, double left click, double left click on",
    "long-press": "long-presses, long-press on, long press, long press on, long presses, long-tap, long-tap on, "
    "long tap, long tap on, tap and hold, press and hold, click and hold",
    "right-click": "right-clicks, right-click on, right click, right click on, right clicks, "
    "right-clicks on, right clicks on, rightclick, context-click, context-click on, context click, context click on, "
    "right mouse click, right mouse click on, click right mouse button on, click with right mouse button on",
    "hover": "hovers, hovers on, hover over, mouse hover over, mouse hover on, hovers over, hover on, mouse over, "
    "mouseover, mouse-over, "
    "point at, points at",
    "type": "types, type in, types in, enter, enters, send keys, sends keys",
    "input": "inputs",
    "insert": "inserts",
    "provide": "provides, give, gives, specify, specifies",
    "supply": "supplies",
    "put": "puts",
    "paste": "pastes",
    "append": "appends",
    "fill": "fills, fill in, fills in, fill out, fills out, fill up, populate, populates, complete, completes",
    "set": "sets, edit, edits, change, changes, update, updates, modify, modifies",
    "leave": "leaves",
    "adjust": "adjusts, increase, increases, decrease, decreases, raise, raises, lower, lowers, reduce, reduces",
    "drag": "drags, drag and drop, drags and drops, drag-and-drop, drag drop",
    "toggle": "toggles",
    "expand": "expands, unfold, unfolds",
    "collapse": "collapses, fold, folds",
    "replace": "replaces, overwrite, overwrites",
    "sort": "sorts",
    "focus": "focuses, focus on, focuses on, set focus to, set focus on, put focus on, move focus to, place cursor in, "
    "put cursor in, put cursor into, place cursor into, give focus to",
    "write": "writes",
    "clear": "clears, clear out, erase, erases, wipe, wipes, blank out, empty out",
    "select": "selects, select on, selects on",
    "choose": "chooses, pick, picks",
    "check": "checks, tick, ticks, check off, turn on, turns on, switch on, switches on, enable, enables, mark, "
    "marks, check if, check whether, tick off",
    "activate": "activates",
    "deactivate": "deactivates",
    "flip": "flips",
    "uncheck": "unchecks, untick, unticks, unselect, unselects, deselect, deselects, "
    "turn off, turns off, switch off, switches off, disable, disables, unmark, un-check, un-tick, de-select",
    "verify": "verifies, verify if, verify whether, make sure, makes sure, observe, observes, observe whether, "
    "ensure, ensures, assert, asserts, "
    "see if, see whether, validate, "
    "validates, confirm if, confirm whether, verify to see if",
    "scroll": "scrolls",
    "upload": "uploads, attach, attaches, add file",
    "download": "downloads",
    "wait": "waits, pause, pauses, sleep, sleeps, hold on",
    "find": "finds, locate, locates, look for, looks for",
    "wait for": "waits for, wait on, waits on, wait until, waits until, wait till, await, awaits",
    "accept": "accepts, accepting, confirming",
    "dismiss": "dismisses, cancel, cancels, decline, declines, reject, rejects",
    "answer": "answers, reply to, replies to, respond to",
    "switch to": "switches to, switch over to",
    "close": "closes",
    "take screenshot": "takes screenshot, capture screenshot, make screenshot, take screenshot of page, capture page",
    "run": "runs, execute, executes, executing, launch, launches",
    "start": "starts",
    "try": "tries",
    "remember": "remembers, store, stores, save, saves, note, notes, note down, keep, keeps, record, records, "
    "memorize, memorise, capture, captures",
    "send": "sends, make, makes",
}
"""Verbs of actions, each with the words that mean the same."""

NOUN_VERBS = (
    *("changes to", "change to", "updates to", "update to", "defaults to", "default to", "amounts to", "amount to"),
    *("increases to", "decreases to", "rises to", "drops to"),
)
"""Verbs of what is there whose first word may be a noun, the end of a name: "Set the loan amount to 600"."""

SIGHTS = {
    "is visible": "is shown, is displayed, is seen, is present, is there, is found, is on page, is on screen, "
    "visible, appear, appears, appeared, has appeared, have appeared, occur, occurs, shows up, show up, "
    "exist, exists, comes up, "
    "come up, pops up, pop up, is listed, is presented, is rendered, is visible on page, is present on page, "
    "is displayed on page, is shown on page, is visible on screen, is displayed on screen, is shown on screen, "
    "appears on page, appear on page, appears on screen, appear on screen, is visible to user, is displayed to user, "
    "is visible on new page, is displayed on new page, is shown on new page, appears on new page, "
    "is shown to user, is appearing, is showing, is on display, does exist, does appear, is raised, is given",
    "is not visible": "is not shown, is not displayed, is not seen, is not present, is not there, is not found, "
    "is not on page, is not on screen, not visible, is invisible, not appear, not appears, not shows up, "
    "not show up, not exist, disappear, "
    "disappears, disappeared, has disappeared, have disappeared, has vanished, is gone, is hidden, is absent, "
    "is missing, vanish, vanishes, is removed, not exists, is not listed, is not rendered, not pop up, "
    "is not visible on page, is not present on page, is not displayed on page, is not shown on page, "
    "is removed from page, disappears from page, not appear on page, not visible on page, is dismissed, "
    "not is seen, not is found, not is shown, not is displayed, not is visible, not is present, "
    "go away, goes away, went away, has gone away, fades away, fades out",
    "page show": "see, sees, there is, there 's, there exist, there exists, page is showing, page is displaying, "
    "user get, user gets, user receives, "
    "i get, i receive, user receive, i view, user view, user views, i is able to see, expect to see, expects to see, "
    "page present, page presents",
    "page not show": "not see, there exist no, there exists no, there is no, "
    "there is not, there 's no, there not exist, sees no, see no, cannot see",
    "show": "shows, display, displays",
    "contain": "contains, include, includes, containing, is containing",
    "have": "has",
    "is": "=, = =, equal, equals, equal to, equals to, is equal to, is same as, is exactly, is equals to, says, "
    "say, reads, "
    "asks, is set to, is displayed as, is shown as, 's, "
    "is filled with, is prefilled with, is pre-filled with, is populated with, "
    "is pre-populated with, is auto filled with, is auto-filled with, is autofilled with, is auto populated with, "
    "is auto-populated with, is autopopulated with, is changed to, has changed to, is updated to, "
    "matches exactly, exactly match, is now, has become, turns into, turn into, turns to, "
    f"{', '.join(NOUN_VERBS)}, "
    "goes up to, goes down to, "
    "is increased to, is decreased to, is reduced to",
    "is not": "not equal, not equal to, is not equal to, not say, is different from, differs from, is not same as, "
    "not read, is not set to",
    "start with": "starts with, begin with, begins with",
    "end with": "ends with, end in, ends in",
    "match": "matches, match to, matches to, matching, matches pattern, match pattern, matches regex, match regex, "
    "matches regexp, matches regular expression, match regular expression, matches following pattern, "
    "follows pattern, follow pattern",
}
"""Verbs of expectations, each with the words that mean the same."""
