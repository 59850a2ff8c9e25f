import { subjectOf } from './subject';

describe('subjectOf', () => {
  it.each([
    ['Title: Otters holding hands', 'Otters holding hands'],
    ['<post-data>{"title":"Every customer \\u003c3, \\"always\\"","subreddit":"aww"}</post-data>', 'Every customer <3, "always"'],
    ['{"title":"broken \\x"}', 'broken \\x'],
    ['Write something.\nA clip of rain', 'A clip of rain'],
  ])('reads the title of %j', (prompt, title) => {
    expect(subjectOf([prompt], []).title).toBe(title);
  });

  it('depends on the frames', () => {
    expect(subjectOf(['Title: A clip'], ['a']).seed).not.toBe(subjectOf(['Title: A clip'], ['b']).seed);
  });
});
