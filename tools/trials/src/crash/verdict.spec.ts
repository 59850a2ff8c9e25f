import type { Effects } from './item-facts';
import { isMatterOfTime, judge, type Outcome } from './verdict';

const effects: Effects = {
  attempts: [{ state: 'published', caption: 'c', mediaId: '1', settledBy: 'answer' }],
  queueStatuses: ['posted'],
  captions: 1,
  files: ['original 0', 'processed 0'],
  verdicts: 1,
  facts: { 'download.completed': 1, 'dmca.completed': 1, 'ai.completed': 1, 'item.queued': 1, 'post.completed': 1 },
  unsent: 0,
  undelivered: 0,
};
const media = (mediaId: string) => ({ mediaId, containerId: '9', caption: 'c', mediaProductType: 'REELS' });
const outcome = (change: Partial<Outcome>, effect: Partial<Effects> = {}): string[] =>
  judge({ state: 'posted', jobs: [], effects: { ...effects, ...effect }, published: [media('1')], publishCalls: 1, ...change });

describe('judge', () => {
  it('has nothing to say about an item that arrived once', () => expect(outcome({})).toEqual([]));

  it('calls an item lost that did not arrive', () => expect(outcome({ state: 'captioning' })[0]).toMatch(/^lost: it ended as captioning/));

  it.each([
    ['published twice', outcome({ published: [media('1'), media('2')] }), /2 posts/],
    ['called twice', outcome({ publishCalls: 2 }), /called 2 times/],
    ['two attempts', outcome({}, { attempts: [...effects.attempts, ...effects.attempts] }), /attempts/],
    ['another post', outcome({ published: [media('7')] }), /another post/],
    ['a doubled effect', outcome({}, { facts: { ...effects.facts, 'ai.completed': 2 } }), /ai.completed was committed 2 times/],
    ['a message left behind', outcome({}, { undelivered: 1 }), /never settled/],
  ])('tells %s', (_name, wrong, words) => expect(wrong.join()).toMatch(words));

  it('excuses nothing that only a defect can bring about', () => {
    expect(outcome({ published: [media('1'), media('2')] }).some(isMatterOfTime)).toBe(false);
    expect(outcome({ publishCalls: 2 }).some(isMatterOfTime)).toBe(false);
    expect(outcome({ state: 'captioning' }).some(isMatterOfTime)).toBe(false);
  });
});
