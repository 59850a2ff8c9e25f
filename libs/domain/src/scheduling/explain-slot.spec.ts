import { explainSlot } from './explain-slot';

const why = (change: object) => ({ basis: 'interval' as const, earliestAt: new Date(0), delayMs: 0, blockedMs: 0, ...change });

describe('the reason of a slot', () => {
  it.each([
    [why({ basis: 'now' }), 'Nothing stands before it.'],
    [why({ delayMs: 420_000 }), '120 minutes after the post before it, plus 7 minutes at random.'],
    [why({ delayMs: 20_000 }), '120 minutes after the post before it, plus less than a minute at random.'],
    [
      why({ blockedMs: 5 * 3_600_000 + 60_000 }),
      '120 minutes after the post before it, moved by 5 hours 1 minute out of the blocked hours.',
    ],
    [why({ basis: 'pinned' }), 'A person chose this time.'],
    [why({ basis: 'kept' }), 'It was given this time earlier, and it still fits.'],
  ])('says %j as one sentence', (reason, text) => {
    expect(explainSlot(reason, 120)).toBe(text);
  });
});
