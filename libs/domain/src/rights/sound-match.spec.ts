import { compareSounds, hasFeatures, searchedItems, SOUND_ITEM_SECONDS } from './compare-sounds';
import { decideRights } from './rights-decision';
import type { FilePrints } from './prints';
import { DEFAULT_RIGHTS_THRESHOLDS } from './rights-match';
import { soundMatchesOf } from './sound-match';

/** Deterministic items without any structure. */
function itemsOf(seed: number, count: number): Int32Array {
  let state = (seed * 2_654_435_761) >>> 0;
  return Int32Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state | 0;
  });
}

/** The same items with this many bits flipped in each, the first ones in none. */
const noisy = (items: Int32Array, bits: number, equal = 8): Int32Array =>
  items.map((item, at) => (at < equal ? item : item ^ (((1 << bits) - 1) << (at % (32 - bits)))));
const joined = (...parts: Int32Array[]): Int32Array => Int32Array.from(parts.flatMap((part) => [...part]));
const heard = (items: Int32Array): FilePrints => ({ sha256: null, pdq: [], sound: { state: 'compared', items } });
const work = (id: string, kind: 'claim' | 'item', items: Int32Array) => ({
  work: { kind, id, title: `W${id}`, published: false },
  files: [heard(items)],
});

describe('compareSounds', () => {
  it('finds where an excerpt begins in the other sound', () => {
    const song = itemsOf(1, 400);
    expect(compareSounds(song.subarray(100, 180), song)).toEqual({ ours: 0, theirs: 100, items: 80, bitErrors: 0 });
  });

  it('accepts a share of differing bits up to the threshold and no more', () => {
    const song = itemsOf(2, 200);
    expect(compareSounds(noisy(song, 6), song, 0.22)).toMatchObject({ items: 200 });
    expect(compareSounds(noisy(song, 9), song, 0.22)?.items ?? 0).toBeLessThan(40);
  });

  it('finds nothing in sounds that share a few items by chance', () => {
    const [one, other] = [itemsOf(3, 300), itemsOf(4, 300)];
    other.set(one.subarray(20, 24), 90);
    expect(compareSounds(one, other)).toBeNull();
  });

  it('finds nothing in silence and held tones', () => {
    const silence = new Int32Array(200).fill(627_964_279);
    expect(compareSounds(silence, silence)).toBeNull();
    expect(hasFeatures(silence)).toBe(false);
    expect(hasFeatures(itemsOf(5, 100))).toBe(true);
  });

  it('finds nothing where a sound is as near to itself some seconds later as to the other', () => {
    // few bits change, as in steady noise
    const noise = itemsOf(6, 200).map((item) => item & 0x0000ffff);
    const other = itemsOf(7, 200).map((item) => item & 0x0000ffff);
    other.set(noise.subarray(0, 6));
    expect(compareSounds(noise, other, 0.3)).toBeNull();
  });

  it('leaves the items of pauses out of searches', () => {
    expect(searchedItems(Int32Array.of(1, 7, 7, 7, 2, 1, 3))).toEqual([1, 2, 3]);
  });
});

describe('soundMatchesOf', () => {
  const song = itemsOf(10, 300);

  it('flags the sound of a claim with offset, length and shares, and never blocks', () => {
    const ours = heard(joined(itemsOf(11, 50), song.subarray(40, 140)));
    const [match] = soundMatchesOf([ours], [work('1', 'claim', song)]);
    expect(match).toMatchObject({ by: 'sound', kind: 'claim', strength: 'flag', distance: 0, file: 0, onlyShared: false });
    expect(match?.matched).toBeCloseTo(120 * SOUND_ITEM_SECONDS, 3);
    expect(match?.shareOfOurs).toBeCloseTo(100 / 150, 3);
    expect(match?.shareOfTheirs).toBeCloseTo(100 / 300, 3);
    expect(match?.segment?.offsetSeconds).toBeCloseTo(-10 * SOUND_ITEM_SECONDS, 3);
    const decision = decideRights([{ kind: 'video', usable: 10, total: 10 }], match ? [match] : []);
    expect(decision).toMatchObject({ verdict: 'flagged', duplicate: false, reasons: [{ code: 'shares_sound', fields: { seconds: 15 } }] });
  });

  it('ignores a sound that is shorter than the threshold', () => {
    const ours = heard(joined(itemsOf(12, 100), song.subarray(0, 24), itemsOf(13, 100)));
    expect(soundMatchesOf([ours], [work('1', 'claim', song)])).toEqual([]);
    const shorter = { ...DEFAULT_RIGHTS_THRESHOLDS, soundSeconds: 5 };
    expect(soundMatchesOf([ours], [work('1', 'claim', song)], shorter)).toHaveLength(1);
  });

  it('passes music of earlier posts and flags the claim on it', () => {
    const works = [work('1', 'item', song), work('9', 'claim', song), work('2', 'item', song)];
    const matches = soundMatchesOf([heard(song)], works);
    expect(matches.map(({ kind, strength, onlyShared }) => [kind, strength, onlyShared])).toEqual([
      ['claim', 'flag', false],
      ['item', 'pass', true],
      ['item', 'pass', true],
    ]);
  });
});
