import path from 'node:path';
import { type Visit, visit } from './browser';
import { Desk } from './keyboard/desk';
import { clearAll, leave, readLogs, signInByHand, useWhatIsEverywhere, workOnSettings } from './keyboard/everywhere';
import { moveInCalendar, setQueue, stopQueue, workOnQueue } from './keyboard/instagram-queue';
import { resubmit } from './keyboard/pipeline';
import { captionOne, pasteLinks, protectOne, readSkipped } from './keyboard/posts';
import { goThroughReels, workOnProcessed } from './keyboard/processed-content';
import { workOnRights, workOnSubreddits, workOnTasks } from './keyboard/sources';
import { RunningProduct } from './running-product';

/**
 * Everything that can be done, done by somebody who has no mouse. The screens follow each other as the work does, on one running product:
 * what one of them did is what the next one works with.
 */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/keyboard');

let product: RunningProduct;
let browser: Visit;
let desk: Desk;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' });
  browser = await visit(process.env.CHROME_PATH ?? '/usr/bin/chromium', { isRoot: process.getuid?.() === 0 });
  desk = new Desk(browser.page, product, FOLDER);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

it.each<[string, (desk: Desk) => Promise<void>]>([
  ['signs in', signInByHand],
  ['Instagram Queue: stops it', stopQueue],
  ['URL Manager: pastes links, sees what becomes of them, deletes one', pasteLinks],
  ['Dashboard: has a post protected', protectOne],
  ['Palette, help and switches that are everywhere', useWhatIsEverywhere],
  ['Subreddit Manager: adds one, changes where its posts stop, runs it, stops the clock, deletes it', workOnSubreddits],
  ['Scheduler Manager: opens a task, stops and starts', workOnTasks],
  ['Logs: goes through tabs, changes the number of lines, searches, clears', readLogs],
  ['Skipped Posts: filters, reads on', readSkipped],
  ['Instagram Queue: changes priority and order, takes posts out and one back in', workOnQueue],
  ['Instagram Queue as a calendar: moves a post with arrow keys, opens it', moveInCalendar],
  ['Instagram Queue: sets interval, blocked hours and delay, starts it', setQueue],
  ['Processed Content: selects, reads, writes a caption', workOnProcessed],
  ['Processed Content as reels: goes through them, queues one', goThroughReels],
  ['Settings: looks for the media tools, chooses how notices stay and which keys work', workOnSettings],
  ['Pipeline: asks again for what was given up', resubmit],
  ['Rights Register: claims a work, withdraws the claim', workOnRights],
  ['Dashboard: has a caption written', captionOne],
  ['Clear All Data: is asked, thinks better of it, does it', clearAll],
  ['leaves', leave],
])('%s', async (name, work) => desk.do(name, work));

it('asked nothing of the outside, and threw nothing', () => {
  expect(browser.problems).toEqual([]);
  expect(browser.outside).toEqual([]);
});
