import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { ClaimStatus } from '@autoposter/contracts';
import { MediaTools, type NormalisedPicture } from '@autoposter/media-tools';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

/**
 * Holds all jobs at the first check until each has made it, so that none knows of the others. Decodes each picture once: the rounds repeat
 * the checks of the register, and decoding would take most of their time.
 */
class TogetherTools extends MediaTools {
  together = 1;
  meanwhile = (): Promise<unknown> => Promise.resolve();
  private waiting: (() => void)[] = [];
  private readonly results = new Map<string, Promise<unknown>>();

  override analyse(...[file, ...rest]: Parameters<MediaTools['analyse']>): ReturnType<MediaTools['analyse']> {
    return this.once('analysis', file, () => super.analyse(file, ...rest));
  }

  override async poster(...[file, out, ...rest]: Parameters<MediaTools['poster']>): Promise<void> {
    await this.written('poster', file, out, () => super.poster(file, out, ...rest));
  }

  override async normaliseImage(...[file, out, ...rest]: Parameters<MediaTools['normaliseImage']>): Promise<NormalisedPicture> {
    const info = await this.written('picture', file, out, () => super.normaliseImage(file, out, ...rest));
    await new Promise<void>((go) => {
      this.waiting.push(go);
      if (this.waiting.length < this.together) return;
      const all = this.waiting.splice(0);
      void this.meanwhile().then(() => all.forEach((each) => each()));
    });
    return info;
  }

  /** The result of the first call for this content. */
  private async once<T>(what: string, file: string, make: () => Promise<T>): Promise<T> {
    const key = `${what} ${createHash('sha256')
      .update(await readFile(file))
      .digest('hex')}`;
    const result = (this.results.get(key) as Promise<T> | undefined) ?? make();
    this.results.set(key, result);
    return result;
  }

  /** Like `once`, for a call that writes a file. */
  private async written<T>(what: string, file: string, out: string, make: () => Promise<T>): Promise<T> {
    const { result, bytes } = await this.once(what, file, async () => ({ result: await make(), bytes: await readFile(out) }));
    await writeFile(out, bytes);
    return result;
  }
}

const ROUNDS = 25;
const media = new TogetherTools();
const dmca = new DmcaTestHarness(media);

describe('files that are alike, in work at the same time', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open(3));
  afterEach(() => dmca.close());

  /** Three of them at once; answers what became of them. */
  async function sideBySide(files: string[]): Promise<string[]> {
    await dmca.fresh.database.sql.query('TRUNCATE fingerprints');
    const items = await Promise.all(files.map((file, index) => dmca.downloaded(file, { title: `number ${index}` })));
    await Promise.all(items.map((item) => dmca.ask(item)));
    const ended = await Promise.all(items.map((item) => dmca.ended(item)));
    for (const blocked of ended.filter(({ state }) => state === 'blocked')) {
      expect(blocked.processingErrors[0]).toMatchObject({
        kind: 'rights_blocked',
        message: expect.stringMatching(/already collected as "number \d"/),
      });
      const history = await dmca.fresh.database.read.history.ofItem(blocked.id);
      expect(history.map(({ type }) => type)).not.toContain('dmca.completed');
      expect(history.at(-1)).toMatchObject({ type: 'dmca.blocked', state: 'blocked', reason: blocked.processingErrors[0]?.message });
    }
    return ended.map(({ state }) => state).sort();
  }

  it.each([
    ['the same bytes', [2, 2, 2]],
    ['the same picture in other bytes', [2, 7, 12]],
  ])(`let exactly one pass, ${ROUNDS} times: %s`, async (_what, qualities) => {
    media.together = 3;
    const files = qualities.map((quality, index) => dmca.picture(`${index}-${quality}.jpg`, 2, quality));
    for (let round = 1; round <= ROUNDS; round += 1) expect(await sideBySide(files)).toEqual(['blocked', 'blocked', 'protected']);
    const reasons = (await dmca.skipped()).map(({ reason }) => reason);
    expect(reasons).toEqual(Array.from({ length: ROUNDS * 2 }, () => 'duplicate_post'));
  });

  it.each(['came', 'became active again'])('are blocked by a claim that %s while they were in work', async (how) => {
    media.together = 1;
    const file = dmca.picture('claimed.jpg', 3);
    const item = await dmca.downloaded(file);
    const { database } = dmca.fresh;
    const print = (await media.analyse(file, 'image', new AbortController().signal, 'claimed')).fingerprint;
    const about = {
      title: 'Deep Zoom',
      claimant: 'A Painter',
      contact: null,
      sourceUrl: null,
      note: null,
      createdBy: 'admin@example.test',
    };
    const register = () => database.unitOfWork((uow) => uow.rights.addClaim(about, [{ ...print, sha256: null }]));
    const setStatus = async (id: string, from: ClaimStatus, to: ClaimStatus) =>
      database.unitOfWork(async (uow) => {
        await uow.claims.setStatus(id, { from, to, note: null, expiresAt: null });
        if (to === 'active') await uow.rights.renumberClaim(id);
      });
    const earlier = how === 'came' ? null : await register();
    if (earlier !== null) await setStatus(earlier.id, 'active', 'disputed');
    media.meanwhile = () => (earlier === null ? register() : setStatus(earlier.id, 'disputed', 'active'));
    const ended = await dmca.protect(item);
    media.meanwhile = () => Promise.resolve();
    expect(ended).toMatchObject({ state: 'blocked', processingErrors: [{ message: expect.stringContaining('Deep Zoom') }] });
    expect(await dmca.fresh.database.read.media.ofItem(item.id, 'processed')).toEqual([]);
  });
});
