import { subjectOf } from './subject';

describe('the subject of a prompt', () => {
  it.each([
    ['Title: Otters holding hands', 'Otters holding hands'],
    ['<post-data>{"title":"Every customer \\u003c3, \\"always\\"","subreddit":"aww"}</post-data>', 'Every customer <3, "always"'],
    ['{"title":"broken \\x"}', 'broken \\x'],
    ['Write something.\nA clip of rain', 'A clip of rain'],
  ])('%s', (prompt, title) => {
    expect(subjectOf([prompt], []).title).toBe(title);
  });

  it('is another one for other frames', () => {
    expect(subjectOf(['Title: A clip'], ['a']).seed).not.toBe(subjectOf(['Title: A clip'], ['b']).seed);
  });
});
