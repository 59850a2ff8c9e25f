import type { ClaimStatus } from '@autoposter/contracts';
import { deadlinesOf, draftAnswer, missingElements, alertTimesOf, type TakedownNotice } from './takedown';

const COMPLETE: TakedownNotice = {
  reference: 'NL-17',
  claimant: 'North Light',
  contact: 'law@example.com',
  work: 'Valley at dawn',
  locations: ['https://www.instagram.com/reel/C1/'],
  goodFaith: true,
  accurate: true,
  signature: 'N. Light',
  receivedAt: new Date('2026-05-01T10:00:00Z'),
  counterReceivedAt: null,
};

describe('missingElements', () => {
  it('finds none in a complete notice', () => expect(missingElements(COMPLETE)).toEqual([]));

  it.each([
    ['signature', { signature: null }],
    ['work', { work: null }],
    ['locations', { locations: [] }],
    ['contact', { contact: null }],
    ['goodFaith', { goodFaith: false }],
    ['accuracy', { accurate: false }],
  ] as const)('names %s', (element, change) => expect(missingElements({ ...COMPLETE, ...change })).toEqual([element]));
});

describe('alertTimesOf', () => {
  const receivedAt = new Date('2026-05-04T10:00:00Z');
  const open = { receivedAt, counterReceivedAt: null, answeredAt: null, createdAt: receivedAt };

  it('announces the answer a day before it is due, and once it is overdue', () => {
    expect(alertTimesOf(open)).toEqual({
      answer_due: new Date('2026-05-06T10:00:00Z'),
      answer_overdue: new Date('2026-05-07T10:00:00Z'),
      restore_due: null,
      restore_overdue: null,
    });
    expect(alertTimesOf({ ...open, answeredAt: receivedAt })).toMatchObject({ answer_due: null, answer_overdue: null });
  });

  it('announces a deadline that was over when the notice was recorded with the record', () => {
    const createdAt = new Date('2026-06-01T10:00:00Z');
    expect(alertTimesOf({ ...open, createdAt })).toMatchObject({ answer_due: null, answer_overdue: createdAt });
  });

  it('announces begin and end of the time in which posts are restored', () => {
    const { restoreFrom, restoreBy } = deadlinesOf({ receivedAt, counterReceivedAt: receivedAt });
    const countered = { ...open, counterReceivedAt: receivedAt, answeredAt: receivedAt };
    expect(alertTimesOf(countered)).toMatchObject({ restore_due: restoreFrom, restore_overdue: restoreBy });
  });
});

describe('deadlinesOf', () => {
  it('gives a day to remove, three to answer, and no window without a counter notice', () =>
    expect(deadlinesOf(COMPLETE)).toEqual({
      removeBy: new Date('2026-05-02T10:00:00Z'),
      answerBy: new Date('2026-05-04T10:00:00Z'),
      restoreFrom: null,
      restoreBy: null,
    }));

  it.each([
    ['a Friday', '2026-05-01T10:00:00Z', '2026-05-15T10:00:00Z', '2026-05-21T10:00:00Z'],
    ['a Sunday', '2026-05-03T10:00:00Z', '2026-05-15T10:00:00Z', '2026-05-21T10:00:00Z'],
    ['a Monday', '2026-05-04T10:00:00Z', '2026-05-18T10:00:00Z', '2026-05-22T10:00:00Z'],
  ])('counts ten to fourteen business days from %s', (_day, counter, from, by) =>
    expect(deadlinesOf({ ...COMPLETE, counterReceivedAt: new Date(counter) })).toMatchObject({
      restoreFrom: new Date(from),
      restoreBy: new Date(by),
    }),
  );
});

describe('draftAnswer', () => {
  const NOTHING = { copies: false, files: false, addresses: false, inProgress: false };
  const COPIES = { ...NOTHING, copies: true, files: true };

  it('asks for what an incomplete notice lacks, and promises nothing', () => {
    const draft = draftAnswer({ ...COMPLETE, signature: null }, [{ permalink: 'https://x.example/1', state: 'removed' }], null);
    expect(draft).toContain('a physical or electronic signature');
    expect(draft).not.toContain('removed:');
  });

  it('says what was removed, stopped and is still open', () => {
    const draft = draftAnswer(
      COMPLETE,
      [
        { permalink: 'https://www.instagram.com/reel/C1/', state: 'removed' },
        { permalink: null, state: 'held' },
        { permalink: 'https://www.instagram.com/reel/C2/', state: 'removing' },
        { permalink: 'https://www.instagram.com/reel/C3/', state: 'dismissed' },
      ],
      COPIES,
    );
    for (const line of [
      'your notice NL-17 on 2026-05-01',
      '- https://www.instagram.com/reel/C1/',
      'stopped 1 post',
      'removal of 1 post is',
    ])
      expect(draft).toContain(line);
    expect(draft).not.toContain('C3');
  });

  it('says that the removal of a post waits while its claim is not active', () => {
    const open = { permalink: 'https://www.instagram.com/reel/C1/', state: 'open' } as const;
    const draftOf = (...statuses: (ClaimStatus | null)[]) =>
      draftAnswer(
        COMPLETE,
        statuses.map((claimStatus) => ({ ...open, claimStatus })),
        null,
      );
    expect(draftOf('disputed')).toMatch(/\n\nThe removal of 1 post waits until the dispute about the claim is settled\.$/u);
    expect(draftOf('expired', 'expired')).toMatch(/\n\nThe removal of 2 posts has stopped, because the claim has expired\.$/u);
    expect(draftOf('active', null, 'disputed')).toMatch(/The removal of 2 posts is in progress\.\n\nThe removal of 1 post waits/u);
  });

  it('counts what was removed without an address', () => {
    const draft = draftAnswer(
      COMPLETE,
      [
        { permalink: 'https://www.instagram.com/reel/C1/', state: 'removed' },
        { permalink: null, state: 'removed' },
      ],
      COPIES,
    );
    expect(draft).toContain('We removed 1 post more.');
    expect(draftAnswer(COMPLETE, [{ permalink: null, state: 'removed' }], COPIES)).toContain('We removed 1 post.');
  });

  it.each([
    ['none was similar', []],
    ['all similar ones were dismissed', [{ permalink: 'https://www.instagram.com/reel/C1/', state: 'dismissed' as const }]],
  ])('says that no post was found: %s', (_case, posts) =>
    expect(draftAnswer(COMPLETE, posts, COPIES)).toContain('\n\nWe found no post of ours that shows "Valley at dawn".\n\n'),
  );

  it.each([
    ['copies', COPIES, 'we compare every post with it, and do not publish posts in which we recognise it.'],
    ['a work that is fetched', { ...NOTHING, inProgress: true }, 'We are adding "Valley at dawn" to our register'],
    ['identical files', { ...NOTHING, files: true, inProgress: true }, 'We do not publish identical files again.'],
    ['addresses', { ...NOTHING, addresses: true }, 'We do not publish the posts at the addresses that you named again.'],
    ['nothing', NOTHING, 'We cannot recognise other copies of "Valley at dawn" yet: please send us a copy of it, or the address of one.'],
  ])('promises no more than what the claim is recognised by: %s', (_by, recognition, promise) => {
    const draft = draftAnswer(COMPLETE, [], recognition);
    expect(draft).toContain(promise);
    expect(draft.includes('is in our register')).toBe(recognition.copies);
  });

  it('promises nothing for a claim that stops no posts', () =>
    expect(draftAnswer(COMPLETE, [], null)).toMatch(/shows "Valley at dawn"\.$/u));
});
