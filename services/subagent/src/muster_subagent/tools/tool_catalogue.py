"""All tools, in groups."""

from muster_subagent.tools.capture_tool import remember
from muster_subagent.tools.dialog_tools import browser_dialog
from muster_subagent.tools.element_checks import check_count, check_options, check_state, check_value, check_visible
from muster_subagent.tools.end import finish
from muster_subagent.tools.form_tools import browser_check, browser_clear, browser_type, browser_uncheck
from muster_subagent.tools.http_tools import check_response, check_response_text, http_request
from muster_subagent.tools.look_tool import look
from muster_subagent.tools.navigation_tools import (
    browser_back,
    browser_forward,
    browser_navigate,
    browser_reload,
    browser_tab_close,
    browser_tab_new,
    browser_tab_switch,
    browser_tabs,
)
from muster_subagent.tools.page_checks import check_dialog, check_text, check_title, check_url
from muster_subagent.tools.page_tools import (
    browser_console,
    browser_find,
    browser_network,
    browser_snapshot,
    browser_take_screenshot,
    browser_wait_for,
)
from muster_subagent.tools.person_tools import ask_person
from muster_subagent.tools.pointer_tools import (
    browser_click,
    browser_double_click,
    browser_hover,
    browser_press,
    browser_right_click,
    browser_scroll,
)
from muster_subagent.tools.search_tools import web_fetch, web_search
from muster_subagent.tools.select_tools import browser_select
from muster_subagent.tools.shell_tools import (
    check_exit_code,
    check_file,
    check_output,
    execute_command,
    list_files,
    read_file,
    write_file,
)
from muster_subagent.tools.tool import Tool
from muster_subagent.tools.transfer_tools import browser_download, browser_upload

BROWSER: tuple[Tool, ...] = (
    browser_navigate,
    browser_back,
    browser_forward,
    browser_reload,
    browser_click,
    browser_double_click,
    browser_right_click,
    browser_hover,
    browser_type,
    browser_clear,
    browser_select,
    browser_check,
    browser_uncheck,
    browser_press,
    browser_scroll,
    browser_upload,
    browser_download,
    browser_wait_for,
    browser_tabs,
    browser_tab_switch,
    browser_tab_new,
    browser_tab_close,
    browser_dialog,
    browser_snapshot,
    browser_find,
    browser_take_screenshot,
    browser_console,
    browser_network,
)
CHECKS: tuple[Tool, ...] = (
    check_text,
    check_title,
    check_url,
    check_visible,
    check_value,
    check_state,
    check_count,
    check_options,
    check_response,
    check_response_text,
    check_output,
    check_exit_code,
    check_file,
    check_dialog,
)
SHELL: tuple[Tool, ...] = (execute_command, read_file, write_file, list_files)
WEB: tuple[Tool, ...] = (http_request,)
SEARCH: tuple[Tool, ...] = (web_search, web_fetch)
VALUES: tuple[Tool, ...] = (remember,)
PEOPLE: tuple[Tool, ...] = (ask_person,)
LOOKS: tuple[Tool, ...] = (look,)
END: tuple[Tool, ...] = (finish,)

GROUPS: dict[str, tuple[Tool, ...]] = {
    "browser": BROWSER,
    "checks": CHECKS,
    "shell": SHELL,
    "web": WEB,
    "search": SEARCH,
    "values": VALUES,
    "people": PEOPLE,
    "looks": LOOKS,
    "end": END,
}
"""The tools by what they are for; a role's toolset names these."""
TOOLS: tuple[Tool, ...] = tuple(tool for group in GROUPS.values() for tool in group)
TOOLS_BY_NAME: dict[str, Tool] = {tool.name: tool for tool in TOOLS}
