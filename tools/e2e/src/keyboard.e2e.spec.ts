import path from 'node:path';
import { type BrowserSession, MEDIA_CACHE, openBrowser } from './browser';
import { changeSettings, clearAll, readLogs, signIn, signOut, useGlobalControls } from './keyboard/global-actions';
import { changeQueue, configureQueue, moveItemInCalendar, stopQueue } from './keyboard/instagram-queue';
import { addLinks, filterSkippedPosts, processAi, processDmca, replayDeadLetter } from './keyboard/items';
import { KeyboardTestContext } from './keyboard/keyboard-test-context';
import { browseReels, editCaption } from './keyboard/processed-content';
import { controlScheduler, manageClaim, manageSubreddit } from './keyboard/sources';
import { RunningProduct } from '@autoposter/testkit';

/** Every feature, without a mouse. The tests share one running product, and each builds on the results of the ones before it. */
const FOLDER = path.resolve(__dirname, '../../../.autoposter/test/keyboard');

let product: RunningProduct;
let browser: BrowserSession;
let context: KeyboardTestContext;

beforeAll(async () => {
  product = await RunningProduct.start(FOLDER, { ...process.env, PORT: '' }, { mediaCache: MEDIA_CACHE, longestVideo: 3 });
  browser = await openBrowser(process.env.CHROME_PATH);
  context = new KeyboardTestContext(browser.page, product, FOLDER);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

describe('a user without a mouse', () => {
  it.each<[string, (context: KeyboardTestContext) => Promise<void>]>([
    ['signs in', signIn],
    ['stops the Instagram queue', stopQueue],
    ['adds links in the URL Manager, follows their progress and deletes one', addLinks],
    ['processes an item with DMCA protection on the Dashboard', processDmca],
    ['uses the command palette, the shortcuts dialog and the top bar', useGlobalControls],
    ['adds, changes, runs and deletes a subreddit, and stops its scheduler', manageSubreddit],
    ['opens a task in the Scheduler Manager, stops and starts the scheduler', controlScheduler],
    ['switches log tabs, changes the number of lines, searches and clears', readLogs],
    ['filters skipped posts and changes the page', filterSkippedPosts],
    ['changes priority and order in the queue, removes items and undoes a removal', changeQueue],
    ['moves an item in the queue calendar with the arrow keys', moveItemInCalendar],
    ['sets interval, blocked hours and random delay, and starts the queue', configureQueue],
    ['selects an item in Processed Content, opens its dialogs and edits its caption', editCaption],
    ['browses reels and queues one', browseReels],
    ['tests compatibility and changes preferences in Settings', changeSettings],
    ['replays a dead letter on the Pipeline screen', replayDeadLetter],
    ['adds and withdraws a claim in the Rights Register', manageClaim],
    ['generates a caption on the Dashboard', processAi],
    ['cancels and confirms Clear All Data', clearAll],
    ['signs out', signOut],
  ])('%s', async (name, steps) => context.run(name, steps));

  it('causes no page error and no request to another host', () => {
    expect(browser.pageErrors).toEqual([]);
    expect(browser.externalRequests).toEqual([]);
  });
});
