import type { PostCheck } from '@autoposter/contracts';
import { render, screen } from '@testing-library/react';
import { PostChecks } from './post-checks';

const DUE = '2026-05-05T10:00:00.000Z';
const check = (kind: PostCheck['kind'], change: Partial<PostCheck> = {}): PostCheck => ({
  kind,
  dueAt: DUE,
  doneAt: DUE,
  failure: null,
  ...change,
});

it.each([
  [check('read_back', { differences: [] }), 'No differences'],
  [check('read_back', { differences: ['caption', 'permalink'] }), 'the caption differs, the link differs'],
  [check('first_comment'), 'Posted'],
  [check('first_comment', { failure: 'Instagram did not confirm the first comment.' }), 'Instagram did not confirm the first comment.'],
  [check('insights_1h', { metrics: { views: 1200, total_interactions: 7 } }), 'views 1,200 · total interactions 7'],
  [check('insights_24h', { metrics: {} }), 'Instagram has no numbers for this post'],
  [check('insights_7d', { doneAt: null }), /^Due /u],
  [check('copyright', { doneAt: null, matches: [] }), 'No match so far'],
  [check('copyright', { matches: ['"A song"'] }), 'Match: "A song"'],
] as [PostCheck, string | RegExp][])('shows %j', (shown, text) => {
  render(<PostChecks checks={[shown]} />);
  expect(screen.getByText(text)).toBeVisible();
});
