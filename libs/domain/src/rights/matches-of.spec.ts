import { hitsBetween } from './hits-between';
import type { FilePrints, Preview } from './prints';
import { matchesOf } from './matches-of';
import { DEFAULT_RIGHTS_THRESHOLDS, type RightsMatch, type RightsThresholds } from './rights-match';

/** Deterministic; different seeds are about 128 bits apart. */
function hashOf(seed: number): string {
  let state = (seed * 2_654_435_761) >>> 0;
  const digit = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 28).toString(16);
  return Array.from({ length: 64 }, digit).join('');
}

/** With this many of the first bits changed. */
const flipped = (hash: string, bits: number): string =>
  hash.replace(/./gu, (digit, at: number) => (at * 4 < bits ? (15 - Number.parseInt(digit, 16)).toString(16) : digit));

/** A video of one frame per second; equal seeds are equal frames. */
const video = (seeds: readonly number[], step = 1): FilePrints => ({
  sha256: null,
  pdq: seeds.map((seed, at) => ({ hash: hashOf(seed), quality: 90, atSeconds: at * step, spanSeconds: step })),
});
const range = (from: number, count: number) => Array.from({ length: count }, (_each, index) => from + index);
const picture = (hash: string, preview: Preview | null = null): FilePrints => ({
  sha256: null,
  pdq: [{ hash, quality: 90, atSeconds: null }],
  preview,
});

const WORK = { kind: 'claim', id: '1', title: 'W', published: false } as const;

type Kind = 'claim' | 'item';
function match(ours: FilePrints, theirs: FilePrints | readonly FilePrints[], kind: Kind = 'claim'): RightsMatch[] {
  const works = [theirs].flat() as FilePrints[];
  const hits = works.flatMap((work, index) =>
    hitsBetween([ours], { kind, id: String(index), title: `W${index}`, published: false }, [work]),
  );
  return matchesOf([ours], hits, ({ id }) => works[Number(id)]?.preview ?? null);
}

describe('matchesOf videos', () => {
  it('follows the thresholds that are set', () => {
    const [ours, work] = [video([...range(100, 7), 900, 901, 902]), video(range(100, 30))];
    const strengthAt = (change: Partial<RightsThresholds>) =>
      matchesOf([ours], hitsBetween([ours], WORK, [work]), () => null, { ...DEFAULT_RIGHTS_THRESHOLDS, ...change })[0]?.strength;
    expect(strengthAt({})).toBe('block');
    expect(strengthAt({ videoBlockShare: 0.8 })).toBe('flag');
    expect(strengthAt({ videoBlockShare: 0.8, videoFlagShare: 0.75 })).toBe('flag');
    expect(strengthAt({ videoBlockShare: 0.8, videoFlagShare: 0.75, videoExcerptSeconds: 10 })).toBe('pass');
  });

  it('names the frames that are nearest in both videos', () => {
    const [ours, work] = [video([900, 901, 112, 113, 114]), video(range(110, 10))];
    expect(match(ours, work)[0]?.nearest).toEqual({ theirFile: 0, ours: 2, theirs: 2 });
    const [found] = matchesOf([ours], hitsBetween([ours], WORK, [picture(hashOf(5)), work]), () => null);
    expect(found?.nearest?.theirFile).toBe(1);
  });

  it('blocks a copy and an excerpt, and reports the segment with its offset', () => {
    const work = video(range(100, 30));
    expect(match(video(range(100, 30)), work)).toMatchObject([{ strength: 'block', shareOfOurs: 1, shareOfTheirs: 1 }]);
    expect(match(video(range(110, 10)), work)).toMatchObject([
      {
        strength: 'block',
        shareOfOurs: 1,
        segment: { ours: { fromSeconds: 0, toSeconds: 10 }, theirs: { fromSeconds: 10 }, offsetSeconds: 10 },
      },
    ]);
  });

  it('blocks a compilation that holds all of a short work, and flags one that holds a part of it', () => {
    const compilation = video([...range(500, 30), ...range(100, 8), ...range(600, 30)]);
    expect(match(compilation, video(range(100, 8)))).toMatchObject([{ strength: 'block', matched: 8 }]);
    expect(match(compilation, video(range(96, 60)))).toMatchObject([{ strength: 'flag', matched: 8 }]);
  });

  it.each([5, 8, 20, 60])('passes two unrelated clips of %i s with the same intro of 2 s', (seconds) => {
    const ours = video([...range(1, 4), ...range(1000, (seconds - 2) * 2)], 0.5);
    const theirs = video([...range(1, 4), ...range(2000, (seconds - 2) * 2)], 0.5);
    expect(match(ours, theirs, 'item')).toMatchObject([{ strength: 'pass', onlyShared: true }]);
    expect(match(ours, theirs, 'claim')).toMatchObject([{ strength: 'pass' }]);
  });

  it('flags a short copy of which half of the frames match, although all are near the start or the end', () => {
    const copy = video([1, 2, 3, 904, 905, 906, 907, 8]);
    expect(match(copy, video(range(1, 8)))).toMatchObject([{ strength: 'flag', matched: 4 }]);
  });

  it('passes two unrelated clips with the same end card', () => {
    const ours = video([...range(1000, 20), ...range(1, 6)], 0.5);
    expect(match(ours, video([...range(2000, 40), ...range(1, 6)], 0.5), 'item')).toMatchObject([{ strength: 'pass' }]);
  });

  it('passes title frames that many unrelated works hold, wherever they are', () => {
    const works = range(1, 5).map((work) => video([...range(work * 1000, 10), ...range(1, 6), ...range(work * 1000 + 20, 10)]));
    const ours = video([...range(90_000, 20), ...range(1, 6), ...range(91_000, 20)]);
    expect(match(ours, works, 'item').map(({ strength }) => strength)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
    expect(match(ours, works.slice(0, 1), 'item')).toMatchObject([{ strength: 'flag' }]);
  });

  it('does not count the frames between two samples of a work to its length', () => {
    const work = video(range(100, 10));
    const between = range(0, 10).map((at) => ({
      hash: hashOf(300 + at),
      quality: 90,
      atSeconds: at + 0.5,
      spanSeconds: 0.5,
      isQuery: false,
    }));
    expect(match(video(range(100, 5)), { ...work, pdq: [...work.pdq, ...between] })).toMatchObject([{ shareOfTheirs: 0.5 }]);
  });

  it('flags an excerpt of a claimed work although earlier posts, or other claims, hold the same excerpt', () => {
    const scene = range(1, 18);
    const ours = video([...range(90_000, 20), ...scene, ...range(91_000, 22)]);
    const holders = range(1, 4).map((work) => video([...range(work * 1000, 25), ...scene, ...range(work * 1000 + 50, 30)]));
    const hits = holders.flatMap((work, index) =>
      hitsBetween([ours], { kind: index === 0 ? 'claim' : 'item', id: String(index), title: 'W', published: false }, [work]),
    );
    expect(matchesOf([ours], hits, () => null).find(({ kind }) => kind === 'claim')).toMatchObject({ strength: 'flag', matched: 18 });
    expect(match(ours, holders, 'claim').map(({ strength }) => strength)).toEqual(['flag', 'flag', 'flag', 'flag']);
  });

  it('blocks a post that begins with most of a short claimed work', () => {
    const work = video(range(1, 9), 0.5);
    const ours = video([...range(1, 6), ...range(1000, 54)], 0.5);
    expect(match(ours, work, 'claim')).toMatchObject([{ strength: 'block', matched: 6 }]);
    expect(match(ours, work, 'item')).toMatchObject([{ strength: 'pass' }]);
  });

  it('flags a post that holds all of a claimed work of one scene, unless the scene has few colours', () => {
    const work = video([7], 4);
    const [before, after] = [range(1000, 20), range(2000, 20)];
    const ours = (quality: number): FilePrints => ({
      sha256: null,
      pdq: [...before, 7, ...after].map((seed, at) => ({ hash: hashOf(seed), quality, atSeconds: at * 4, spanSeconds: 4 })),
    });
    expect(match(ours(90), work, 'claim')).toMatchObject([{ strength: 'flag', matched: 1 }]);
    expect(match(ours(50), work, 'claim')).toMatchObject([{ strength: 'pass' }]);
    expect(match(ours(90), work, 'item')).toMatchObject([{ strength: 'pass' }]);
  });

  it('only flags videos whose near frames have few colours, such as two countdowns, unless as many others as a copy needs are near', () => {
    const plain = (prints: FilePrints, seconds: number): FilePrints => ({
      ...prints,
      pdq: prints.pdq.map((print, at) => ({ ...print, quality: at < seconds ? 50 : 90 })),
    });
    const work = video(range(100, 10));
    expect(match(plain(video(range(100, 10)), 10), work)).toMatchObject([{ strength: 'flag', matched: 10, compared: 10 }]);
    expect(match(plain(video(range(100, 10)), 8), work)).toMatchObject([{ strength: 'flag' }]);
    expect(match(plain(video(range(100, 10)), 7), work)).toMatchObject([{ strength: 'block' }]);
  });

  it('only flags a video of fewer scenes than a copy needs', () => {
    const still = video([7], 10);
    expect(match(still, video([7], 10))).toMatchObject([{ strength: 'flag', matched: 1, compared: 1 }]);
  });
});

describe('matchesOf videos of a fixed camera', () => {
  /** Frames that differ by a few bits, as of one place where people move. */
  const place = (bits: (at: number) => number): FilePrints => ({
    sha256: null,
    pdq: range(0, 8).map((at) => ({ hash: flipped(hashOf(1), bits(at)), quality: 90, atSeconds: at, spanSeconds: 1 })),
  });
  const earlier = place((at) => at * 2);

  it.each(['claim', 'item'] as const)('only flags other moments of the same place: %s', (kind) => {
    expect(
      match(
        place((at) => 34 + (at % 3) * 4),
        earlier,
        kind,
      ),
    ).toMatchObject([{ strength: 'flag', matched: 8 }]);
  });

  it('blocks a copy', () => {
    expect(
      match(
        place((at) => at * 2 + 4),
        earlier,
      ),
    ).toMatchObject([{ strength: 'block' }]);
  });

  describe('and a second one, after a title', () => {
    const poses = [0, 3, 1, 5, 2, 6, 4, 7, 1, 4, 0, 6, 5, 2, 7, 3];
    /** The camera changes every 4 s; the poses of the person change some bits. */
    const talk = (shown: readonly number[]): FilePrints => {
      const hashes = [hashOf(3), ...shown.map((pose, at) => flipped(hashOf(1 + (Math.floor(at / 4) % 2)), pose * 4))];
      return { sha256: null, pdq: hashes.map((hash, at) => ({ hash, quality: 90, atSeconds: at, spanSeconds: 1 })) };
    };
    const work = talk(poses);
    const moved = (to: (at: number) => number): FilePrints => ({
      ...work,
      pdq: work.pdq.map((print, at) => ({ ...print, atSeconds: to(at) })),
    });

    it.each(['claim', 'item'] as const)('only flags another talk before the same cameras: %s', (kind) => {
      expect(match(talk([...poses].reverse()), work, kind)).toMatchObject([{ strength: 'flag', matched: 17 }]);
    });

    it.each([
      ['at another speed', moved((at) => at / 1.8)],
      ['with its halves in another order', moved((at) => (at + 8) % 17)],
    ])('blocks a copy %s', (_what, copy) => {
      expect(match(copy, work)).toMatchObject([{ strength: 'block' }]);
    });
  });

  it('blocks a video that shows a claimed picture for most of its time', () => {
    const slow = video([1, 1, 1, 1, 7]);
    const zoomed = { ...slow, pdq: slow.pdq.map((print, at) => ({ ...print, hash: flipped(print.hash, at * 8) })) };
    expect(match(zoomed, picture(hashOf(1)))).toMatchObject([{ strength: 'block', matched: 4 }]);
  });
});

describe('matchesOf pictures', () => {
  const SIDE = 192;
  const paint = (level: (x: number, y: number) => number): Preview => ({
    side: SIDE,
    luma: Uint8Array.from({ length: SIDE * SIDE }, (_pixel, at) => Math.round(level(at % SIDE, Math.floor(at / SIDE)))),
  });
  const noise = (x: number, y: number, seed: number) => {
    const value = Math.sin((Math.floor(x / 5) * 12.9898 + Math.floor(y / 5) * 78.233 + seed * 37.719) % 6.283) * 43_758.5453;
    return value - Math.floor(value);
  };
  const scenery = (seed: number) => (x: number, y: number) => 128 + 60 * Math.sin(x / 23 + seed) + 50 * (noise(x, y, seed) - 0.5);
  /** Light lines of words on a card; another seed is another text. */
  const card = (seed: number) => (x: number, y: number) => (y % 24 > 8 && y % 24 < 18 && y > 40 && noise(x, y, seed) > 0.55 ? 20 : 240);

  it('blocks a copy by its pixels and only flags the same layout with other content', () => {
    const [original, other] = [paint(scenery(1)), paint(scenery(40))];
    const darker = paint((x, y) => scenery(1)(x, y) * 0.7);
    expect(match(picture(hashOf(1), darker), picture(hashOf(1), original))).toMatchObject([{ strength: 'block' }]);
    expect(match(picture(hashOf(1), other), picture(hashOf(1), original))).toMatchObject([{ strength: 'flag' }]);
  });

  it('passes a card of the same layout with other words and blocks the same card', () => {
    expect(match(picture(hashOf(1), paint(card(1))), picture(hashOf(1), paint(card(2))))).toMatchObject([{ strength: 'pass' }]);
    expect(match(picture(hashOf(1), paint(card(1))), picture(hashOf(1), paint(card(1))))).toMatchObject([{ strength: 'block' }]);
  });

  it('passes a card of which only three lines are other words, although all else is the same, and blocks it in other brightness and noise', () => {
    const lines = (seed: number, contrast = 1) =>
      paint((x, y) => {
        const isText = y >= 56 && y < 104 && x > 8 && x < 176;
        const page = y > 110 ? 225 : 245;
        const level =
          y < 42 && x < 42 ? 90 : isText || y < 42 || y > 120 ? Math.min(page, card(isText ? seed : 99)(x, y + (isText ? 0 : 48))) : page;
        return 30 + contrast * (level - 30) + 4 * noise(x, y, seed);
      });
    const [found] = match(picture(hashOf(1), lines(1)), picture(hashOf(1), lines(2)));
    expect(found).toMatchObject({ strength: 'pass' });
    expect(found?.comparison?.correlation).toBeGreaterThan(0.65);
    expect(match(picture(hashOf(1), lines(1)), picture(hashOf(1), lines(1, 0.8)))).toMatchObject([{ strength: 'block' }]);
  });

  it.each([
    ['a sticker', (x: number, y: number) => Math.hypot(x - 100, y - 100) < 24],
    ['a line of words', (x: number, y: number) => x > 20 && x < 170 && y > 84 && y < 108],
  ])('flags a claimed card with %s over it, and passes an earlier post', (_what, isCovered) => {
    const copy = paint((x, y) => (isCovered(x, y) ? card(9)(x, y + 12) / 2 : card(1)(x, y)));
    expect(match(picture(hashOf(1), copy), picture(hashOf(1), paint(card(1))))).toMatchObject([{ strength: 'flag' }]);
    expect(match(picture(hashOf(1), copy), picture(hashOf(1), paint(card(1))), 'item')).toMatchObject([{ strength: 'pass' }]);
  });

  it('flags a meme on the same picture with other words', () => {
    const meme = (seed: number) => paint((x, y) => (y < 48 || y > 144 ? card(seed)(x, y + 48) : scenery(3)(x, y)));
    const [found] = match(picture(hashOf(1), meme(1)), picture(hashOf(1), meme(9)));
    expect(found).toMatchObject({ strength: 'flag' });
  });

  it('compares the mirrored view of a part with the part of the work', () => {
    const original = paint(scenery(5));
    const barred = paint((x, y) => (y < 48 || y >= 144 ? 0 : scenery(5)(SIDE - 1 - x, (y - 48) * 2)));
    const region = { left: 0, top: 0.25, right: 1, bottom: 0.75 };
    const ours: FilePrints = {
      sha256: null,
      pdq: [{ hash: hashOf(1), quality: 90, atSeconds: null, view: 'content, mirrored', region, mirrored: true, isReference: false }],
      preview: barred,
    };
    const [found] = match(ours, picture(hashOf(1), original));
    expect(found).toMatchObject({ strength: 'block', views: ['content, mirrored', 'full'] });
  });

  it.each([
    ['claim', 14],
    ['item', 14],
    ['claim', 3],
    ['claim', SIDE - 13],
  ] as const)('only flags a meme of the same photograph with other words: %s, at row %i', (kind, row) => {
    const photo = (x: number, y: number) => 128 + 200 * (noise(x, y, 5) - 0.5);
    const meme = (words: number) => paint((x, y) => (y >= row && y < row + 10 && x < 80 ? card(words)(x, y - row + 57) : photo(x, y)));
    const [found] = match(picture(hashOf(1), meme(7)), picture(hashOf(1), meme(8)), kind);
    expect(found?.comparison?.correlation).toBeGreaterThan(0.8);
    expect(found?.comparison?.differing).toBeLessThan(0.04);
    expect(found?.strength).toBe('flag');
    expect(match(picture(hashOf(1), meme(7)), picture(hashOf(1), meme(7)), kind)).toMatchObject([{ strength: 'block' }]);
  });

  it('only flags a photograph with another digit on it', () => {
    const photo = (x: number, y: number) => 128 + 200 * (noise(x, y, 5) - 0.5);
    const day = (digit: number) => paint((x, y) => (x >= 90 && x < 102 && y >= 90 && y < 104 ? 250 * noise(x, y, digit) : photo(x, y)));
    const [found] = match(picture(hashOf(1), day(7)), picture(hashOf(1), day(8)));
    expect(found?.comparison?.correlation).toBeGreaterThan(0.95);
    expect(found?.strength).toBe('flag');
    expect(match(picture(hashOf(1), day(7)), picture(hashOf(1), day(7)))).toMatchObject([{ strength: 'block' }]);
  });

  it.each([
    ['stripes', (x: number, _y: number, level: number) => (x < 64 ? level : x < 128 ? 240 : 110)],
    ['a disc on a horizon', (x: number, y: number, level: number) => (Math.hypot(x - 96, y - 80) < 50 ? 250 : y < 130 ? 150 : level)],
  ])('only flags %s, which other pictures have too', (_what, shapes) => {
    const painted = (level: number) =>
      picture(
        hashOf(1),
        paint((x, y) => shapes(x, y, level)),
      );
    expect(match(painted(30), painted(60))).toMatchObject([{ strength: 'flag' }]);
  });

  it('only flags a meme of the same photograph with other words in one line of a white bar', () => {
    const photo = (x: number, y: number) => 128 + 200 * (noise(x, y, 5) - 0.5);
    const letter = (x: number, words: number) => noise(x * 2, 1, words) > 0.3;
    const meme = (words: number) => paint((x, y) => (y >= 15 ? photo(x, y) : y > 4 && y < 11 && x > 6 && letter(x, words) ? 150 : 250));
    expect(match(picture(hashOf(1), meme(7)), picture(hashOf(1), meme(8)))).toMatchObject([{ strength: 'flag' }]);
    const copy = { side: SIDE, luma: meme(7).luma.map((level) => 20 + level * 0.8) };
    expect(match(picture(hashOf(1), copy), picture(hashOf(1), meme(7)))).toMatchObject([{ strength: 'block' }]);
  });

  it('only flags a picture without a bar of 5 %, where the words of a meme may be', () => {
    const region = { left: 0, top: 0.06, right: 1, bottom: 1 };
    const content: FilePrints = {
      ...picture(hashOf(1), paint(scenery(3))),
      pdq: [{ hash: hashOf(1), quality: 90, atSeconds: null, view: 'content', region }],
    };
    const cut = {
      hash: hashOf(1),
      quality: 90,
      atSeconds: null,
      view: 'without upper 5 %',
      region: { ...region, top: 0.05 },
      isQuery: false,
    };
    const work: FilePrints = { ...picture(hashOf(2), paint(scenery(3))), pdq: [cut] };
    expect(match(content, work)).toMatchObject([{ strength: 'flag' }]);
  });

  it('only flags what two memes of one photograph share below their captions', () => {
    const below = { left: 0, top: 0.15, right: 1, bottom: 1 };
    const meme = (words: number, print: object): FilePrints => ({
      sha256: null,
      pdq: [{ hash: hashOf(1), quality: 90, atSeconds: null, region: below, ...print }],
      preview: paint((x, y) => (y < SIDE * 0.15 ? card(words)(x, y + 48) : scenery(5)(x, y))),
    });
    const theirs = meme(8, { view: 'without upper 15 %', isQuery: false });
    expect(match(meme(7, { view: 'content', isReference: false }), theirs)).toMatchObject([{ strength: 'flag' }]);
    const photograph = { ...picture(hashOf(1)), preview: paint((x, y) => scenery(5)(x, SIDE * 0.15 + y * 0.85)) };
    expect(match(photograph, theirs)).toMatchObject([{ strength: 'block' }]);
  });

  describe('an inset', () => {
    const region = { left: 0.3, top: 0.25, right: 0.9, bottom: 0.85 };
    const inside = (x: number) => (x / SIDE - 0.3) / 0.6;
    const post = (seed: number) =>
      paint((x, y) => {
        const [u, v] = [inside(x), (y / SIDE - 0.25) / 0.6];
        return u >= 0 && u < 1 && v >= 0 && v < 1 ? scenery(seed)(Math.floor(u * SIDE), Math.floor(v * SIDE)) : scenery(77)(x, y);
      });
    const print = { hash: hashOf(1), quality: 90, atSeconds: null, view: 'inset', region, isReference: false };
    const showing = (seed: number): FilePrints => ({ sha256: null, pdq: [print], preview: post(seed) });
    const work = (seed: number): FilePrints => ({
      sha256: null,
      pdq: [{ hash: hashOf(1), quality: 90, atSeconds: null }],
      preview: paint(scenery(seed)),
    });

    it('blocks if its pixels are those of a claimed work', () => {
      expect(match(showing(5), work(5))).toMatchObject([{ strength: 'block', views: ['inset', 'full'] }]);
      expect(match(showing(5), work(6))).toMatchObject([{ strength: 'flag' }]);
    });

    it('only flags a claimed work of which no preview is kept', () => {
      expect(match(showing(5), picture(hashOf(1)))).toMatchObject([{ strength: 'flag', comparison: null }]);
    });

    it('only flags a post that shows our own picture beside something else', () => {
      expect(match(showing(5), work(5), 'item')).toMatchObject([{ strength: 'flag' }]);
    });

    it('only flags a panel that is a part of the claimed work', () => {
      const panel = { left: 0, top: 0.1, right: 1, bottom: 0.75 };
      const meme: FilePrints = {
        sha256: null,
        pdq: [{ hash: hashOf(1), quality: 90, atSeconds: null, view: '1:1', region: panel, isQuery: false }],
        preview: paint((x, y) => scenery(5)(x, Math.floor((y - SIDE * 0.1) / 0.65))),
      };
      const [found] = match(showing(5), meme);
      expect(found?.comparison?.correlation).toBeGreaterThan(0.9);
      expect(found?.strength).toBe('flag');
    });

    it('only flags a video, of which no pixels are compared', () => {
      const frames = video(range(100, 10));
      const inFrame: FilePrints = { ...frames, pdq: frames.pdq.map((one) => ({ ...one, view: 'inset', region, isReference: false })) };
      const around = video(range(500, 10));
      expect(match({ ...around, pdq: [...around.pdq, ...inFrame.pdq] }, frames)).toMatchObject([{ strength: 'flag', matched: 10 }]);
    });
  });

  describe('a strip', () => {
    const strip = (hash: string, view: string, atSeconds: number | null = null) => {
      const [top, bottom] = view === 'upper third' ? [0, 1 / 3] : [2 / 3, 1];
      return { hash, quality: 90, atSeconds, view, region: { left: 0, top, right: 1, bottom } };
    };
    const striped = (hashes: readonly string[], level: (x: number, y: number) => number): FilePrints => ({
      sha256: null,
      pdq: hashes.map((hash, index) => strip(hash, ['upper third', 'lower third'][index] as string)),
      preview: paint(level),
    });
    const both = [hashOf(1), hashOf(2)];
    const covered = (from: number, to: number, by: (x: number, y: number) => number) => (x: number, y: number) =>
      y >= from && y < to ? by(x, y) : scenery(3)(x, y);

    it('flags a claimed picture with words across its middle, and passes an earlier post', () => {
      const ours = striped(both, covered(80, 112, card(7)));
      const work = striped(both, scenery(3));
      expect(match(ours, work)).toMatchObject([{ strength: 'flag', views: ['upper third', 'upper third'] }]);
      expect(match(ours, work, 'item')).toMatchObject([{ strength: 'pass' }]);
    });

    it('passes a picture that covers too much between the strips', () => {
      const ours = striped(both, covered(64, 128, card(7)));
      expect(match(ours, striped(both, covered(0, SIDE, scenery(40))))).toMatchObject([{ strength: 'pass' }]);
    });

    it('passes a meme of which one of two panels is the same', () => {
      const ours = striped([hashOf(1), hashOf(9)], covered(120, SIDE, scenery(6)));
      expect(match(ours, striped(both, scenery(3)))).toMatchObject([{ strength: 'pass' }]);
    });

    it('counts a strip once that is near as part of the picture and of its content', () => {
      const ours = striped([hashOf(1)], covered(80, 112, card(7)));
      const ofContent = { ...strip(hashOf(1), 'upper third'), view: 'upper third of the content', isReference: false };
      const twice = { ...ours, pdq: [...ours.pdq, ofContent] };
      expect(match(twice, striped([hashOf(1)], scenery(3)))).toMatchObject([{ strength: 'pass' }]);
    });

    it('passes a card with the same heading and other words', () => {
      const page = (seed: number) => (x: number, y: number) => card(y < 64 ? 1 : seed)(x, y);
      expect(match(striped(both, page(2)), striped(both, page(3)))).toMatchObject([{ strength: 'pass' }]);
    });

    it('flags without pixels only what is as near as a copy', () => {
      const [work, ours] = [{ ...striped(both, scenery(3)), preview: null }, striped(both, scenery(3))];
      expect(match(ours, work)).toMatchObject([{ strength: 'flag' }]);
      expect(
        match(
          striped(
            both.map((hash) => flipped(hash, 40)),
            scenery(3),
          ),
          work,
        ),
      ).toMatchObject([{ strength: 'pass' }]);
    });

    it('counts in videos only with another strip of the same frames', () => {
      const film = (views: readonly string[], seed: number): FilePrints => ({
        sha256: null,
        pdq: range(0, 6).flatMap((at) => [
          { hash: hashOf(seed + at), quality: 90, atSeconds: at, spanSeconds: 1 },
          ...views.map((view, index) => strip(hashOf(100 + at * 10 + index), view, at)),
        ]),
      });
      const [banner, around] = [['upper third'], ['upper third', 'lower third']];
      expect(match(film(banner, 500), film(banner, 700))).toEqual([]);
      expect(match(film(around, 500), film(around, 700))).toMatchObject([{ strength: 'flag', matched: 6 }]);
      expect(match(film(around, 500), film(around, 700), 'item')).toEqual([]);
      const inexact = film(around, 700);
      const further = (bits: number): FilePrints => ({
        ...inexact,
        pdq: inexact.pdq.map((one) => ({ ...one, hash: flipped(one.hash, bits) })),
      });
      expect(match(film(around, 500), further(44))).toMatchObject([{ strength: 'flag', matched: 6 }]);
      expect(match(film(around, 500), further(48))).toEqual([]);
    });
  });

  it('blocks a claim by its hash alone, but only flags an item without a preview', () => {
    expect(match(picture(hashOf(1)), picture(hashOf(1)), 'claim')).toMatchObject([{ strength: 'block', comparison: null }]);
    expect(match(picture(hashOf(1)), picture(hashOf(1)), 'item')).toMatchObject([{ strength: 'flag' }]);
  });
});
