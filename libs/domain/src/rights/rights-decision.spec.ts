import type { FilePrints } from './prints';
import { checkedFile, decideRights, reasonsWithoutMatch } from './rights-decision';
import type { RightsMatch } from './rights-match';

const match = (change: Partial<RightsMatch> = {}): RightsMatch => ({
  kind: 'claim',
  id: '1',
  title: 'Sunset',
  by: 'pdq',
  file: 0,
  strength: 'block',
  distance: 12,
  matched: 1,
  compared: 1,
  shareOfOurs: 1,
  shareOfTheirs: 1,
  views: ['full', 'full'],
  segment: null,
  comparison: null,
  onlyShared: false,
  published: false,
  ...change,
});
const image = { kind: 'image' as const, usable: 1, total: 1 };
const vague = { ...image, usable: 0 };
const gallery = (...files: (typeof image | typeof vague)[]) => files;

describe('decideRights', () => {
  it('is clear without matches', () => {
    expect(decideRights([image], [])).toEqual({ verdict: 'clear', reasons: [], duplicate: false });
  });

  it('blocks what a claim matches and names the work', () => {
    const verdict = decideRights([image], [match()]);
    expect(verdict).toMatchObject({ verdict: 'blocked', duplicate: false });
    expect(verdict.reasons).toMatchObject([{ code: 'matches_claim', fields: { title: 'Sunset' } }]);
  });

  it('blocks our own earlier content as a duplicate and says whether it was posted', () => {
    const own = decideRights([image], [match({ kind: 'item', by: 'sha256' })]);
    expect(own).toMatchObject({ verdict: 'blocked', duplicate: true, reasons: [{ code: 'collected_before' }] });
    expect(decideRights([image], [match({ kind: 'item', published: true })]).reasons).toMatchObject([{ code: 'posted_before' }]);
  });

  it('lets a claim win over a duplicate', () => {
    expect(decideRights([image], [match({ kind: 'item', id: '2' }), match()])).toMatchObject({ verdict: 'blocked', duplicate: false });
  });

  it('flags what is similar and passes what only shares an intro', () => {
    expect(decideRights([image], [match({ strength: 'flag' })])).toMatchObject({
      verdict: 'flagged',
      reasons: [{ code: 'resembles_work' }],
    });
    expect(decideRights([image], [match({ strength: 'pass', onlyShared: true })]).verdict).toBe('clear');
  });

  it.each(['sha256', 'pdq'] as const)('flags a gallery that repeats less than half of an earlier one: by %s', (by) => {
    const files = gallery(image, image, image, image);
    const shared = (count: number, kind: 'claim' | 'item') => Array.from({ length: count }, (_file, file) => match({ kind, by, file }));
    expect(decideRights(files, shared(1, 'item'))).toMatchObject({
      verdict: 'flagged',
      reasons: [{ code: 'resembles_work', fields: { matched: 1, compared: 4 } }],
    });
    expect(decideRights(files, shared(2, 'item'))).toMatchObject({ verdict: 'blocked', duplicate: true });
    expect(decideRights(files, shared(1, 'claim'))).toMatchObject({ verdict: 'blocked', duplicate: false });
  });

  it('names three similar works and counts the others', () => {
    const works = ['1', '2', '3', '4', '5'].map((id) => match({ id, kind: 'item', strength: 'flag' }));
    const { reasons } = decideRights([image], works);
    expect(reasons.map(({ code }) => code)).toEqual(['resembles_work', 'resembles_work', 'resembles_work', 'resembles_more']);
    expect(reasons.at(-1)?.fields).toEqual({ count: 2 });
  });

  it.each([
    ['one picture', [vague], 'too_little_detail', undefined],
    ['9 of 10 pictures of a gallery', [image, ...Array.from({ length: 9 }, () => vague)], 'partly_comparable', { vague: 9, files: 10 }],
    ['1 of 10 pictures of a gallery', [vague, ...Array.from({ length: 9 }, () => image)], 'partly_comparable', { vague: 1, files: 10 }],
    ['15 of 16 frames of a video', [{ kind: 'video' as const, usable: 1, total: 16 }], 'partly_comparable', { vague: 1, files: 1 }],
  ])('never passes silently what cannot be compared: %s', (_what, files, code, fields) => {
    expect(decideRights(files, [])).toEqual({ verdict: 'flagged', duplicate: false, reasons: [fields ? { code, fields } : { code }] });
  });
});

describe('checkedFile', () => {
  const print = (quality: number, atSeconds: number | null) => ({ hash: 'a5'.repeat(32), quality, atSeconds });
  const picture = (quality: number): FilePrints => ({ sha256: null, pdq: [print(quality, null)] });
  const video = (qualities: readonly number[]): FilePrints => ({ sha256: null, pdq: qualities.map(print) });
  const [good, poor] = [80, 20];
  const verdictOf = (files: readonly FilePrints[]) => decideRights(files.map(checkedFile), []).verdict;

  it.each<[string, FilePrints[]]>([
    ['a gallery of which 9 of 10 pictures cannot be compared', [picture(good), ...Array.from({ length: 9 }, () => picture(poor))]],
    ['a video of which 15 of 16 frames cannot be compared', [video([good, ...Array.from({ length: 15 }, () => poor)])]],
    ['a video without any frame', [video([])]],
    [
      'a picture of which only a part can be compared',
      [{ sha256: null, pdq: [...picture(poor).pdq, { ...print(good, null), view: 'lower third' }] }],
    ],
    [
      'a picture of which only the bars have detail',
      [{ sha256: null, pdq: [...picture(good).pdq, { ...print(poor, null), view: 'content 1' }] }],
    ],
    ['a gallery with such a video', [picture(good), video([good, ...Array.from({ length: 15 }, () => poor)])]],
  ])('makes a person check %s', (_what, files) => {
    expect(verdictOf(files)).toBe('flagged');
  });

  it('compares a dark picture by the inset that it shows', () => {
    expect(verdictOf([{ sha256: null, pdq: [...picture(poor).pdq, { ...print(good, null), view: 'inset 1' }] }])).toBe('clear');
  });

  it('compares a picture between bars by its likeliest content', () => {
    const contents = [good, poor].map((quality, index) => ({ ...print(quality, null), view: `content ${index + 1}` }));
    expect(verdictOf([{ sha256: null, pdq: [...picture(poor).pdq, ...contents] }])).toBe('clear');
    expect(verdictOf([{ sha256: null, pdq: [...picture(good).pdq, ...contents.reverse()] }])).toBe('flagged');
  });

  it('lets through what can be compared', () => {
    expect(verdictOf([picture(good), video([poor, ...Array.from({ length: 15 }, () => good)])])).toBe('clear');
  });
});

describe('reasonsWithoutMatch', () => {
  const alike = (id: string, title = `Work ${id}`) => match({ id, title, strength: 'flag' });
  const storedOf = (matches: readonly RightsMatch[]) => decideRights([image], matches).reasons;
  const codes = (stored: ReturnType<typeof reasonsWithoutMatch>) =>
    stored.map((reason) => (typeof reason === 'string' ? reason : reason.code));

  it('removes the reason of the match and keeps those of others and of other origins', () => {
    const stored = [{ code: 'nsfw_at_source' as const }, ...storedOf([alike('1'), alike('2')]), { code: 'video_trimmed' as const }];
    expect(codes(reasonsWithoutMatch(stored, alike('1'), [alike('2')], [image]))).toEqual([
      'nsfw_at_source',
      'video_trimmed',
      'resembles_work',
    ]);
    expect(codes(reasonsWithoutMatch(stored, alike('1'), [], [image]))).toEqual(['nsfw_at_source', 'video_trimmed']);
  });

  it('keeps the reason of another work with the same title', () => {
    const [first, second] = [alike('1', 'Dusk'), alike('2', 'Dusk')];
    expect(codes(reasonsWithoutMatch(storedOf([first, second]), first, [second], [image]))).toEqual(['resembles_work']);
    const held = [{ code: 'shows_claimed_work' as const, fields: { title: 'Dusk' } }];
    expect(reasonsWithoutMatch(held, first, [second], [image])).toEqual(held);
    expect(reasonsWithoutMatch(held, first, [{ ...second, strength: 'pass' }], [image])).toEqual([]);
  });

  it('names works that were only counted before', () => {
    const works = ['1', '2', '3', '4', '5'].map((id) => alike(id));
    const after = (answered: number) => reasonsWithoutMatch(storedOf(works), works[0] as RightsMatch, works.slice(answered), [image]);
    expect(after(1).at(-1)).toEqual({ code: 'resembles_more', fields: { count: 1 } });
    expect(codes(after(2))).toEqual(['resembles_work', 'resembles_work', 'resembles_work']);
    expect(after(5)).toEqual([]);
  });

  it('does not bring back reasons that a person removed', () => {
    expect(reasonsWithoutMatch([], alike('1'), [alike('2')], [image])).toEqual([]);
  });
});
