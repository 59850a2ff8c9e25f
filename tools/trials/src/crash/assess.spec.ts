import { assess, type CaseFailure, type Outcome } from './assess';
import type { Effects } from './item-facts';

const effects: Effects = {
  attempts: [{ state: 'published', caption: 'c', mediaId: '1', settledBy: 'answer' }],
  queueStatuses: ['posted'],
  captions: 1,
  files: ['original 0', 'processed 0'],
  verdicts: 1,
  facts: { 'download.completed': 1, 'dmca.completed': 1, 'ai.completed': 1, 'item.queued': 1, 'post.completed': 1 },
  messages: 0,
};
const media = (mediaId: string) => ({
  ...{ mediaId, containerId: '9', accountId: '42', caption: 'c' },
  ...{ mediaProductType: 'REELS', options: {}, comments: [] },
});
const outcome = (change: Partial<Outcome>, effect: Partial<Effects> = {}): CaseFailure[] =>
  assess({ state: 'posted', jobs: [], effects: { ...effects, ...effect }, published: [media('1')], publishCalls: 1, ...change });

const job = { id: '1', stage: 'ai', state: 'dead', fence: 3, attempts: 3, owner: null, leaseUntil: null };

describe('assess', () => {
  it('reports no failure for an item that was posted once', () => expect(outcome({})).toEqual([]));

  it('reports an item as lost that was not posted', () =>
    expect(outcome({ state: 'captioning' })[0]?.message).toMatch(/^lost: it ended in state captioning/));

  it.each([
    ['a double publication', outcome({ published: [media('1'), media('2')] }), /2 posts/],
    ['a second publish call', outcome({ publishCalls: 2 }), /called 2 times/],
    ['two attempts', outcome({}, { attempts: [...effects.attempts, ...effects.attempts] }), /attempts/],
    ['another media', outcome({ published: [media('7')] }), /another media/],
    ['a doubled effect', outcome({}, { facts: { ...effects.facts, 'ai.completed': 2 } }), /ai.completed was committed 2 times/],
    ['a message without a reader', outcome({}, { messages: 1 }), /without a reader/],
  ])('reports %s', (_name, failures, pattern) => expect(failures.map(({ message }) => message).join()).toMatch(pattern));

  it('never attributes doubled effects or a lost item to load', () => {
    expect(outcome({ published: [media('1'), media('2')] }).some(({ byLoad }) => byLoad)).toBe(false);
    expect(outcome({ publishCalls: 2 }).some(({ byLoad }) => byLoad)).toBe(false);
    expect(outcome({ state: 'captioning' }).some(({ byLoad }) => byLoad)).toBe(false);
    expect(outcome({ state: 'failed', jobs: [job] }).map(({ byLoad }) => byLoad)).toEqual([true]);
  });
});
