import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Visit, visit } from './browser';
import { Hands } from './hands';
import { makeManySkippedPosts } from './many-posts';
import { RunningProduct } from './running-product';
import { SimulatedWorld } from './simulated-world';

/**
 * Everything that can be done, done by somebody who has no mouse. The screens follow each other as the work does, on one running product:
 * what one of them did is what the next one works with.
 */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/keyboard');
const PATIENCE_MS = 150_000;
const SKIPPED = 120;

let product: RunningProduct;
let world: SimulatedWorld;
let browser: Visit;
let page: Page;
let hands: Hands;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' });
  world = new SimulatedWorld(product.state.addresses.control ?? '');
  browser = await visit(process.env.CHROME_PATH ?? '/usr/bin/chromium', { isRoot: process.getuid?.() === 0 });
  page = browser.page;
  hands = new Hands(page);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** A part that fails leaves a picture, and the next one begins on a page without dialogs. */
function part(name: string, work: () => Promise<void>): void {
  it(name, async () => {
    let done = false;
    try {
      await work();
      done = true;
    } finally {
      if (!done) await leaveEvidence(name.replaceAll(/\W+/gu, '-')).catch(() => undefined);
    }
  });
}

async function leaveEvidence(name: string): Promise<void> {
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await page.goto(`${product.state.address}/admin`);
  await page.getByText('All Systems Operational').waitFor();
}

const button = (name: string | RegExp) =>
  page.getByRole('main').getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const box = (label: string) => page.getByRole('main').getByLabel(label, { exact: true });
const group = (name: string) => page.getByRole('main').getByRole('group', { name, exact: true });
const field = (name: string) => page.getByRole('main').getByRole('textbox', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const told = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });

/** From wherever the hands are; the heading of the screen has the focus then. */
async function go(screen: string, heading = screen): Promise<void> {
  await hands.key('Control+k');
  await hands.within(page.getByRole('combobox', { name: 'Go to a screen' }));
  await page.keyboard.type(screen);
  await page.getByRole('option', { name: screen, selected: true }).waitFor();
  await hands.key('Enter');
  await hands.within(page.getByRole('heading', { level: 1, name: heading }));
}

part('signs in', async () => {
  await page.goto(product.state.address);
  await hands.press(page.getByRole('button', { name: 'Sign in with Google' }));
  const account = page.getByRole('link', { name: /admin@autoposter\.local · on the admin list/ });
  await account.waitFor();
  for (let presses = 0; presses < 20 && !(await account.evaluate((link) => link === document.activeElement)); presses += 1)
    await hands.key('Tab');
  await hands.key('Enter');
  await hands.within(page.getByRole('heading', { level: 1, name: 'Instagram Auto-Poster Dashboard' }));
  await page.getByText('All Systems Operational').waitFor();
});

part('URL Manager: pastes links, sees what becomes of them, deletes one', async () => {
  const [good, other, bad] = await Promise.all(['portrait', 'silent', 'garbage'].map((key) => world.post(key)));
  await go('URL Manager');
  const links = box('Post URLs, one per line');
  await hands.fill(links, [good, other, bad].map((post) => post?.permalink).join('\n'));
  await hands.press(links, 'Control+Enter');
  await page.getByText('Successfully processed 3 URL(s)').waitFor({ timeout: PATIENCE_MS });
  await hands.somewhere();
  await hands.pick(group('Status'), /^All \d/);
  await hands.fill(page.getByRole('main').getByRole('searchbox'), other?.title ?? '');
  await page.waitForURL(/search=/);
  const row = page.getByRole('article').filter({ hasText: other?.title ?? '' });
  await row.getByText('Downloaded').waitFor({ timeout: PATIENCE_MS });
  await hands.press(row.getByRole('link', { name: 'Timeline' }));
  await hands.within(page.getByRole('heading', { level: 1, name: other?.title ?? '' }));
  await page.goBack();
  await hands.press(row.getByRole('button', { name: /^Delete/ }));
  await hands.answer('Cancel');
  await hands.at(row.getByRole('button', { name: /^Delete/ }));
  await hands.key('Enter');
  await hands.answer('Delete');
  await row.waitFor({ state: 'detached' });
  await hands.somewhere();
});

part('Dashboard: runs the next step of a post', async () => {
  await go('Dashboard', 'Instagram Auto-Poster Dashboard');
  await hands.press(button('PROCESS DMCA'));
  await hands.somewhere();
  await hands.press(button('Refresh DMCA Data'));
  await hands.at(button('Refresh DMCA Data'));
});

part('Palette, help and switches that are everywhere', async () => {
  await hands.key('Control+k');
  await hands.within(page.getByRole('combobox', { name: 'Go to a screen' }));
  await page.keyboard.type('rights');
  await page.getByRole('option', { name: 'Rights Register', selected: true }).waitFor();
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(button('Refresh DMCA Data'));
  await page.keyboard.type('?');
  await hands.within(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(button('Refresh DMCA Data'));
  const header = page.getByRole('banner');
  await hands.press(header.getByRole('button', { name: 'Pause publishing' }));
  await hands.answer('Pause publishing');
  await page.getByRole('region', { name: 'Publishing is paused' }).waitFor();
  await hands.press(header.getByRole('button', { name: 'Resume publishing' }));
  await hands.answer('Resume publishing');
  await header.getByRole('button', { name: 'Pause publishing' }).waitFor();
  await hands.press(header.getByRole('button', { name: /^Failures and notices/ }));
  await hands.within(dialog());
  await hands.key('Escape');
  await hands.at(header.getByRole('button', { name: /^Failures and notices/ }));
  for (const name of ['Dark', 'Light']) await hands.choose(header.getByRole('button', { name: 'Colour scheme' }), name);
});

part('Subreddit Manager: adds one, changes where its posts stop, runs it, stops the clock, deletes it', async () => {
  await go('Subreddit Manager');
  await hands.press(button('Add Subreddit'));
  await hands.at(field('Name'));
  await page.keyboard.insertText('EarthPorn');
  await hands.fill(page.getByRole('spinbutton', { name: 'Interval (minutes)' }), '1440');
  await hands.fill(page.getByRole('spinbutton', { name: 'Posts to fetch' }), '1');
  await hands.choose(page.locator('form').getByRole('combobox', { name: 'Auto-processing stage' }), 'Auto DMCA and AI, stop at processed');
  await hands.press(page.getByRole('main').getByRole('checkbox', { name: 'Allow images' }), 'Space');
  await hands.press(field('Name'), 'Enter');
  const card = page.getByRole('article', { name: 'r/EarthPorn' });
  await card.waitFor();
  await hands.somewhere();
  await hands.choose(card.getByRole('combobox', { name: 'Auto-processing stage' }), 'Stop at DMCA');
  await told('r/EarthPorn: Stop at DMCA');
  await hands.press(card.getByRole('button', { name: 'Run Now' }));
  await hands.somewhere();
  await hands.press(card.getByRole('button', { name: 'Disable' }));
  await card.getByRole('button', { name: 'Enable' }).waitFor();
  await hands.at(card.getByRole('button', { name: 'Enable' }));
  await hands.press(button('Stop Scheduler'));
  await hands.at(button('Start Scheduler'));
  await hands.key('Enter');
  await hands.at(button('Stop Scheduler'));
  await hands.press(card.getByRole('button', { name: 'Delete' }));
  await hands.answer('Delete');
  await card.waitFor({ state: 'detached' });
  await hands.somewhere();
});

part('Scheduler Manager: opens a task, stops and starts', async () => {
  await go('Scheduler Manager');
  const task = button(/send-alerts/);
  await hands.press(task);
  await hands.within(dialog());
  await hands.key('Escape');
  await hands.at(task);
  await hands.press(button('Stop Scheduler'));
  await told('Scheduler stopped successfully');
  await hands.at(button('Start Scheduler'));
  await hands.key('Enter');
  await told('Scheduler started successfully');
  await hands.at(button('Stop Scheduler'));
});

part('Logs: goes through tabs, changes the number of lines, searches, clears', async () => {
  await go('Logs');
  const tab = (name: string) => page.getByRole('tab', { name });
  await hands.reach(tab('Server Logs'));
  await hands.key('ArrowRight', 'Enter');
  await hands.at(tab('Browser Logs'));
  await page.waitForURL(/tab=browser/);
  await hands.key('ArrowLeft', 'Enter');
  await hands.choose(page.getByRole('combobox', { name: 'Lines' }), '500');
  await page.waitForURL(/lines=500/);
  await hands.press(page.getByRole('checkbox', { name: 'Auto-refresh' }), 'Space');
  await hands.press(button(/^Info \d/), 'Space');
  await page.waitForURL(/hide=info/);
  await hands.key('Space', '/');
  await hands.at(page.getByRole('main').getByRole('searchbox'));
  await page.keyboard.insertText('nothing like this');
  await page.getByText('0 of 0').waitFor();
  await hands.reach(page.getByRole('log'));
  await hands.press(button('Clear Local Logs'));
  await hands.answer('Clear Local Logs');
  await told('Local logs cleared');
  await hands.at(button('Clear Local Logs'));
});

part('Skipped Posts: filters, reads on, takes one in', async () => {
  await makeManySkippedPosts(product.state.databaseUrl, SKIPPED);
  await hands.key('g', 's');
  await hands.within(page.getByRole('heading', { level: 1, name: 'Skipped Posts' }));
  await hands.press(button('Show Filters'));
  await hands.choose(page.getByRole('combobox', { name: 'Order' }), 'Ascending');
  await page.waitForURL(/sortOrder=asc/);
  await hands.pick(group('Time span'), '7 d');
  await page.waitForURL(/dateFrom=/);
  await hands.press(button('Clear Filters'));
  await page.waitForURL((url) => url.search === '');
  await hands.press(button('Next'));
  await page.getByText(/^Page 2 of 3/).waitFor();
  await hands.somewhere();
  await hands.press(button('Page 1'));
  await page.getByText(/^Page 1 of 3/).waitFor();
  await hands.press(button(/^Score too low \d/), 'Space');
  await page.getByRole('button', { name: /^Score too low/, pressed: true }).waitFor();
  await hands.key('Space');
  await page.waitForURL((url) => url.search === '');
});

part('Dashboard: has a caption written', async () => {
  await go('Dashboard', 'Instagram Auto-Poster Dashboard');
  await button('PROCESS AI').first().waitFor({ timeout: PATIENCE_MS });
  await hands.press(button('PROCESS AI'));
  await hands.somewhere();
});

part('Instagram Queue: stops, changes priority and order, takes a post out and back', async () => {
  await go('Instagram Queue');
  await hands.press(button('Stop Queue'));
  await button('Start Queue').waitFor();
  await hands.at(button('Start Queue'));
  const priority = page.getByRole('spinbutton', { name: /^Priority of Floor tiles/ });
  await priority.waitFor({ timeout: PATIENCE_MS });
  await hands.fill(priority, '9');
  await hands.key('Enter');
  await told(/has priority 9 now/);
  await hands.somewhere();
  await hands.choose(page.getByRole('combobox', { name: 'Sort by' }), 'Priority');
  await hands.choose(page.getByRole('combobox', { name: 'Order' }), 'Descending');
  const row = (title: string | RegExp) => page.getByRole('row').filter({ hasText: title });
  await page.waitForFunction(() => document.querySelector('tbody tr')?.textContent?.startsWith('Floor tiles') === true);
  await hands.press(row(/^Floor tiles/).getByRole('button', { name: 'Why this time?' }));
  await hands.key('Escape');
  await hands.press(row(/^Floor tiles/).getByRole('button', { name: 'Move to…' }));
  await hands.within(dialog());
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(row(/^Floor tiles/).getByRole('button', { name: 'Move to…' }));
  await hands.press(row(/^Ink dropped/).getByRole('button', { name: 'Remove' }));
  await row(/^Ink dropped/).waitFor({ state: 'detached' });
  await hands.somewhere();
  await hands.key('Control+z');
  await row(/^Ink dropped/).waitFor();
});

part('Instagram Queue as a calendar: moves a post with arrow keys, opens another', async () => {
  await go('Instagram Queue');
  await hands.pick(group('View'), 'Week');
  const chip = button(/Floor tiles that only line up/);
  const before = await chip.getAttribute('aria-label', { timeout: PATIENCE_MS });
  await hands.press(chip, 'Space');
  await hands.within(page.getByRole('group', { name: 'Queue calendar' }));
  await hands.key('ArrowDown', 'ArrowDown', 'Enter');
  await told(/^Floor tiles.* moved to /);
  await hands.at(chip);
  await expect(chip.getAttribute('aria-label')).resolves.not.toBe(before);
  await hands.key('Enter');
  await hands.within(dialog());
  await hands.key('Escape');
  await dialog().waitFor({ state: 'hidden' });
  await hands.at(chip);
  await hands.press(button('Next week'));
  await hands.at(button('Next week'));
  await hands.pick(group('View'), 'Month');
  await page.waitForURL(/view=month/);
  await hands.press(button('Start Queue'));
  await hands.at(button('Stop Queue'));
});

part('Settings: looks for the media tools, chooses how notices stay and which keys work', async () => {
  await go('Settings');
  await hands.press(button('Test Compatibility Setup'));
  await page
    .getByText(/FFprobe/)
    .first()
    .waitFor();
  await hands.at(button('Test Compatibility Setup'));
  await hands.choose(page.getByRole('combobox', { name: 'Notices stay' }), '10 seconds');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await hands.fill(zone, 'Asia/Kathmandu');
  await hands.key('Tab');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Asia\/Kathmandu/ })
    .waitFor();
  await hands.somewhere();
  await hands.press(page.getByRole('checkbox', { name: /^Keyboard shortcuts/ }), 'Space');
  await hands.key('g', 'd');
  expect(page.url()).toMatch(/settings$/);
  await hands.key('Space');
});

part('Pipeline: looks through what was given up', async () => {
  await go('Pipeline');
  for (const stage of ['DMCA', 'All stages']) await hands.choose(page.getByRole('combobox', { name: 'Stage' }), stage);
});

part('Rights Register: claims a work, withdraws the claim', async () => {
  await go('Rights Register');
  await hands.press(button('Add Claim'));
  await hands.fill(field('Title of the work'), 'A photograph');
  await hands.fill(field('Who claims it'), 'Its photographer');
  await hands.pick(group('Recognise it by'), 'A file');
  await hands.fill(box('SHA-256 of the file'), 'ab'.repeat(32));
  await hands.press(button('Put on the register'));
  const claim = page.getByRole('article', { name: 'A photograph' });
  await claim.waitFor();
  await hands.somewhere();
  await hands.press(claim.getByRole('button', { name: 'Withdraw' }));
  await hands.answer('Withdraw');
  await claim.getByText('Withdrawn').waitFor();
  await hands.somewhere();
});

part('Clear All Data: is asked, thinks better of it, does it', async () => {
  await go('Dashboard', 'Instagram Auto-Poster Dashboard');
  await hands.press(button('Clear All Data'));
  await hands.answer('Cancel');
  await hands.at(button('Clear All Data'));
  await hands.key('Enter');
  await hands.fill(page.getByRole('alertdialog').getByRole('textbox'), 'CLEAR');
  await hands.answer('Clear All Data');
  await told(/^All data was cleared/);
  await page.getByText('No files ready for DMCA protection').waitFor();
});

part('leaves', async () => {
  await hands.press(page.getByRole('complementary').getByRole('button', { name: 'Logout' }));
  await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
  expect(browser.problems).toEqual([]);
  expect(browser.outside).toEqual([]);
});
