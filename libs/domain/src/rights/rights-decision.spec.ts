import { decideRights, type RightsMatch } from './rights-decision';

const match = (change: Partial<RightsMatch> = {}): RightsMatch => ({
  kind: 'claim',
  id: '1',
  title: 'Sunset',
  by: 'pdq',
  distance: 12,
  matched: 1,
  compared: 1,
  published: false,
  ...change,
});
const image = { kind: 'image' as const, usable: 1, total: 1 };
const video = { kind: 'video' as const, usable: 10, total: 12 };

describe('decideRights', () => {
  it('is clear without matches', () => {
    expect(decideRights(image, [])).toEqual({ verdict: 'clear', reasons: [], duplicate: false });
  });

  it('blocks what a claim matches and names the work', () => {
    const verdict = decideRights(image, [match()]);
    expect(verdict.verdict).toBe('blocked');
    expect(verdict.duplicate).toBe(false);
    expect(verdict.reasons).toMatchObject([{ code: 'matches_claim', fields: { title: 'Sunset' } }]);
  });

  it('blocks our own earlier content as a duplicate', () => {
    expect(decideRights(video, [match({ kind: 'item', by: 'sha256', matched: 1 })])).toMatchObject({ verdict: 'blocked', duplicate: true });
  });

  it('lets a claim win over a duplicate', () => {
    expect(decideRights(image, [match({ kind: 'item' }), match()])).toMatchObject({ verdict: 'blocked', duplicate: false });
  });

  it('flags a video that shares fewer frames than a copy would', () => {
    expect(decideRights(video, [match({ matched: 2, compared: 10 })]).verdict).toBe('flagged');
    expect(decideRights(video, [match({ matched: 3, compared: 10 })]).verdict).toBe('blocked');
  });

  it.each(['sha256', 'pdq'] as const)('asks a person where a gallery repeats less than half of an earlier one: by %s', (by) => {
    const gallery = { kind: 'image' as const, usable: 4, total: 4 };
    const shared = (matched: number, kind: 'claim' | 'item') => match({ kind, by, matched, compared: 4 });
    expect(decideRights(gallery, [shared(1, 'item')])).toMatchObject({
      verdict: 'flagged',
      reasons: [{ code: 'resembles_work', fields: { matched: 1, compared: 4 } }],
    });
    expect(decideRights(gallery, [shared(2, 'item')])).toMatchObject({ verdict: 'blocked', duplicate: true });
    expect(decideRights(gallery, [shared(1, 'claim')])).toMatchObject({ verdict: 'blocked', duplicate: false });
  });

  it('never passes silently what could not be compared', () => {
    expect(decideRights({ kind: 'image', usable: 0, total: 1 }, [])).toMatchObject({ verdict: 'flagged' });
  });
});
