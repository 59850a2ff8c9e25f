import { subredditNameSchema } from '@autoposter/contracts';
import { bareName, nameProblem } from './subreddit-name';

const TYPED = [
  'EarthPorn',
  ' r/EarthPorn ',
  'https://www.reddit.com/r/EarthPorn/',
  'old.reddit.com/r/EarthPorn/top?t=day',
  '/r/aww',
  'de',
  'x',
  'a'.repeat(21),
  'a'.repeat(22),
  '_start',
  'with space',
  '',
  'r/',
];

describe('subreddit name', () => {
  it.each(TYPED)('%j is validated like on the server', (typed) => {
    const server = subredditNameSchema.safeParse(typed);
    expect(nameProblem(typed)).toBe(server.success ? true : server.error.issues[0]?.message);
    if (server.success) expect(bareName(typed)).toBe(server.data);
  });

  it.each(['de', 'r/nl'])('accepts %s: subreddits of countries have two letters', (typed) => {
    expect(nameProblem(typed)).toBe(true);
  });
});
