import { describeMatch } from './copyright-check';

describe('describeMatch', () => {
  it.each([
    [59.6, 0.8, '1:00–1:00'],
    [0, 59.5, '0:00–1:00'],
    [61.4, 10, '1:01–1:11'],
  ])('rounds a segment at %s s of %s s to whole seconds', (startSeconds, seconds, times) => {
    const segments = [{ kind: 'AUDIO', startSeconds, seconds }];
    expect(describeMatch({ title: 'Song', owner: null, actions: [], segments })).toBe(`"Song" (audio ${times})`);
  });
});
