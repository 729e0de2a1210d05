"""Helpers that an exported TypeScript file includes if it uses them; their defaults give the types. Data."""

TYPESCRIPT: dict[str, str] = {
    "given": r"""/** A value from the environment, which must have it. */
function given(name = '') {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
""",
    "whole": r"""/** A text as it is written, but no part of a number: "6" is not in "16", nor "$59" in "$59.98". */
function whole(text = '') {
  const before = /^\d/.test(text) ? "(?<!\\d)(?<!\\d[.,'])" : '';
  const after = /\d$/.test(text) ? "(?![.,']?\\d)" : '';
  const words = text.trim().split(/\s+/).map((word) => containing(word).source);
  return new RegExp(before + words.join('\\s+') + after);
}
""",
    "containing": r"""/** A text as it is written, anywhere. */
function containing(text = '') {
  if (!text) throw new Error('an empty text is everywhere');
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
}
""",
    "ending": r"""/** The end of an address as it is written; a query may follow a path. */
function ending(text = '') {
  const end = `${/^\d/.test(text) ? '(?<!\\d)' : ''}${containing(text).source}`;
  return new RegExp(/[?#=&]/.test(text) ? `${end}$` : `^[^?]*${end}/?([?#].*)?$`);
}
""",
    "phrase": r"""/** A text as `whole` has it, but no part of a word either: "Ada" is not in "Adam". */
function phrase(text = '') {
  const letter = '[0-9A-Za-z\\u00c0-\\u1fff]'; // not `u`: Playwright reads quotes in such patterns wrongly
  const before = new RegExp(`^${letter}`).test(text) ? `(?<!${letter})` : '';
  const after = new RegExp(`${letter}$`).test(text) ? `(?!${letter})` : '';
  return new RegExp(before + whole(text).source + after);
}
""",
    "having": r"""/** Those that are or hold an element with a text. */
const having: (found: Locator, text: Locator) => Locator = (found, text) =>
  found.filter({ has: text }).or(found.and(text));
""",
    "parts": r"""const parts = `tr, li, ul, ol, article, section, fieldset, form, dialog, table,
[role=row], [role=listitem], [role=article], [role=region], [role=form],
[role=group], [role=dialog], [role=alertdialog], [role=tabpanel], [role=table]`;
""",
    "partOf": r"""/** The smallest row, item, card or section that has a text or is called so. */
const partOf: (page: Page | Frame, name: string) => Locator = (page, name) => {
  const called = page.locator(parts).and(page.getByLabel(phrase(name)));
  const named = having(page.locator(parts), page.getByText(phrase(name))).or(called);
  return named.filter({ hasNot: named });
};
""",
    "expectNoText": r"""const shown = () => {
  const seen = (el: any) => el.checkVisibility({ visibilityProperty: true });
  const all = Array.from(document.querySelectorAll<any>('*')).filter(seen);
  const said = (el: any) => ['aria-label', 'alt', 'title', 'placeholder'].map((name) => el.getAttribute(name));
  const drawn = (el: any) => ['::before', '::after'].map((part) => getComputedStyle(el, part).content);
  const field = (el: any) => (el.matches('input, textarea') ? el.value : '');
  const held = (el: any) => (el.matches('select') ? el.selectedOptions[0]?.label : field(el));
  const texts = all.flatMap((el) => [...said(el), ...drawn(el), held(el), el.shadowRoot?.textContent]);
  return [document.body?.innerText, ...texts].filter(Boolean) as string[];
};
/** Expect that a text is nowhere: in no frame, field or name, in capitals or not. */
const expectNoText: (page: Page, text: string, options?: { timeout?: number }) => Promise<void> =
  async (page, text, { timeout = 5000 } = {}) => {
    const words = text.trim().split(/\s+/).map((word) => containing(word).source);
    const plain = new RegExp(words.join('\\s+'), 'i');
    const seen = async () => {
      const said = (await Promise.all(page.frames().map((frame) => frame.evaluate(shown)))).flat();
      return said.filter((one) => plain.test(one.replace(/[\u00ad\u200b-\u200d\ufeff]/g, '')));
    };
    await expect.poll(seen, { timeout }).toEqual([]);
  };
""",
    "expectAnswer": r"""/** Expect that the page came with no status from `wrong` up, and with none of these. */
const expectAnswer: (page: Page, wrong: number, ...missing: number[]) => Promise<void> =
  async (page, wrong, ...missing) => {
    await page.waitForLoadState('domcontentloaded');
    const answer = () => (performance.getEntriesByType('navigation')[0] as any)?.responseStatus ?? 0;
    const status = await page.evaluate(answer);
    expect(status, page.url()).toBeLessThan(wrong);
    expect(missing, page.url()).not.toContain(status);
  };
""",
    "inside": r"""/** What stands in the smallest row, card or section that has a text. */
const inside: (page: Page | Frame, name: string, target: Locator) => Locator = (page, name, target) => {
  const named = having(page.locator(parts), page.getByText(phrase(name))).filter({ has: target });
  return named.filter({ hasNot: named }).locator(target);
};
""",
    "labelled": r"""/** The field of this label, or what stands beside it in a list or table. */
const labelled: (page: Page | Frame, name: string) => Locator = (page, name) => {
  const label = page.locator('dt, th').filter({ hasText: new RegExp(`^\\s*${containing(name).source}\\s*:?\\s*$`) });
  return page.getByLabel(phrase(name)).or(label.locator('xpath=following-sibling::*[self::dd or self::td][1]'));
};
""",
    "framed": r"""/** What is found in the page, or else in one of its frames; what can be seen counts first. */
const framed: (page: Page, find: (place: Page | Frame) => Locator, options?: { timeout?: number }) => Promise<Locator> =
  async (page, find, { timeout = 5000 } = {}) => {
    for (const ends = Date.now() + timeout; ; await page.waitForTimeout(50)) {
      const found = page.frames().map(find);
      const seen = await Promise.all(found.map((one) => one.filter({ visible: true }).count()));
      const there = await Promise.all(found.map((one) => one.count()));
      const at = seen.some(Boolean) ? seen.findIndex(Boolean) : there.findIndex(Boolean);
      if (at >= 0 || Date.now() > ends) return found[Math.max(at, 0)];
    }
  };
""",
    "expectCount": r"""/** Expect so many elements, in the page and its frames together. */
const expectCount: (
  page: Page, find: (place: Page | Frame) => Locator, count: number, options?: { timeout?: number }
) => Promise<void> = async (page, find, count, { timeout = 5000 } = {}) => {
  const all = async () => (await Promise.all(page.frames().map((one) => find(one).count()))).reduce((a, b) => a + b, 0);
  await expect.poll(all, { timeout }).toBe(count);
};
""",
    "valueOf": r"""/** The value of a field, or the text of anything else; it must not be empty. */
const valueOf: (target: Locator) => Promise<string> = async (target) => {
  const value = await target.evaluate((el: any) => (el.matches('input, textarea') ? el.value : el.innerText).trim());
  expect(value).not.toBe('');
  return value;
};
""",
    "expectValue": r"""/** Expect the value of a field, the chosen option of a list, or the text of anything else. */
const expectValue: (target: Locator, value: string) => Promise<void> = async (target, value) => {
  await expect(target).toBeVisible();
  const kind = await target.evaluate((el) => el.tagName);
  if (kind === 'SELECT') await expect(target.locator('option:checked')).toHaveText(value);
  else if (kind === 'INPUT' || kind === 'TEXTAREA') await expect(target).toHaveValue(value);
  else await expect(target).toHaveText(value, { useInnerText: true });
};
""",
    "typeKeys": r"""/** Empty a field and press a key for each letter. */
const typeKeys: (field: Locator, text: string) => Promise<void> = async (field, text) => {
  await field.clear();
  await field.pressSequentially(text);
};
""",
    "typeBehind": r"""/** Type behind what a field holds. */
const typeBehind: (field: Locator, text: string) => Promise<void> = async (field, text) => {
  await field.press('End');
  await field.pressSequentially(text);
};
""",
    "dismissIfShown": r"""/** Click what closes a banner or tour, whenever it is in the way. */
const dismissIfShown: (page: Page, target: Locator) => Promise<void> = (page, target) =>
  page.addLocatorHandler(target, async () => { await target.click(); });
""",
    "dialogs": "const dialogs: string[] = [];\n",
    "answerNextDialog": r"""/** Answer the dialog that the next action opens. */
const answerNextDialog: (page: Page, accept: boolean, text?: string) => Promise<void> = async (page, accept, text) => {
  dialogs.length = 0;
  page.once('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    await (accept ? dialog.accept(text || dialog.defaultValue()) : dialog.dismiss());
  });
};
""",
    "expectDialog": r"""/** Expect that the last dialog said a text. */
const expectDialog: (page: Page, text: string) => Promise<void> = async (page, text) => {
  await expect.poll(() => dialogs.at(-1)).toBe(text);
};
""",
    "folder": r"""let made = '';
/** The folder of the files of this test; it is removed in the end. */
function folder() {
  made ||= fs.mkdtempSync(path.join(os.tmpdir(), 'test-'));
  return made;
}
test.afterAll(freshFolder);
""",
    "freshFolder": r"""/** Begin with an empty folder: what another test wrote does not count. */
function freshFolder() {
  if (made) fs.rmSync(made, { recursive: true });
  made = '';
}
""",
    "writeFile": r"""/** Write a file in the folder. */
async function writeFile(name = '', content = '') {
  const file = path.join(folder(), name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}
""",
    "expectFile": r"""/** Expect a file in the folder, with texts in it. */
async function expectFile(name = '', ...texts: string[]) {
  const held = fs.readFileSync(path.join(folder(), name), 'utf8');
  for (const text of texts) expect(held).toMatch(whole(text));
}
""",
    "expectNoFile": r"""/** Expect that there is no such file in the folder. */
async function expectNoFile(name = '') {
  expect(fs.existsSync(path.join(folder(), name))).toBe(false);
}
""",
    "run": r"""const shell = '[ -f "$2" ] && . "$2" && cd "$PWD"; eval "$1"; code=$?; export -p > "$2"; exit $code';
let finished = { status: null as number | null, output: '' };
/** Run a command in the folder, which is its HOME; exported variables last until the next one. */
async function run(command = '') {
  const call = ['-c', shell, 'bash', command, path.join(folder(), '.shell')];
  const done = spawnSync('bash', call, { cwd: folder(), env: { ...process.env, HOME: folder() }, encoding: 'utf8' });
  finished = { status: done.status, output: done.stdout + done.stderr };
}
""",
    "expectExitCode": r"""/** Expect how the last command ended. */
async function expectExitCode(code = 0) {
  expect(finished.status, finished.output).toBe(code);
}
""",
    "expectOutput": r"""/** Expect a text in what the last command put out. */
async function expectOutput(text = '') {
  expect(finished.output).toMatch(whole(text));
}
""",
    "expectStatus": r"""/** Expect the status of an answer. */
const expectStatus: (response: APIResponse | Response | null, status: number) => Promise<void> =
  async (response, status) => { expect(response?.status()).toBe(status); };
""",
    "expectBody": r"""/** Expect a text in the body of an answer. */
const expectBody: (response: APIResponse | Response | null, text: string) => Promise<void> =
  async (response, text) => { expect(await response?.text()).toMatch(whole(text)); };
""",
}
"""By name; they may use each other."""
IMPORTS = {
    r"\bfs\.": "import fs from 'node:fs';",
    r"\bos\.": "import os from 'node:os';",
    r"\bpath\.": "import path from 'node:path';",
    r"\bspawnSync\(": "import { spawnSync } from 'node:child_process';",
}
"""What is imported, by what uses it."""
PLAYWRIGHT_TYPES = ("APIResponse", "Frame", "Locator", "Page", "Response")
"""Types that may be imported from Playwright Test."""
