import { captionTextSchema } from './ai.api';
import { publishOptionsSchema } from './publish-options.api';

const caption = (text: string) => captionTextSchema.safeParse(text);
const options = (values: object): boolean => publishOptionsSchema.safeParse(values).success;

describe('limits of texts', () => {
  it('count characters as the console does', () => {
    expect([caption('😀'.repeat(1100)).success, caption('😀'.repeat(1101)).success]).toEqual([true, false]);
    expect([options({ altText: '😀'.repeat(500) }), options({ altText: '😀'.repeat(501) })]).toEqual([true, false]);
    expect([options({ firstComment: '😀'.repeat(1100) }), options({ firstComment: '😀'.repeat(1101) })]).toEqual([true, false]);
  });

  it('are named once', () => {
    for (const text of ['a'.repeat(2201), '😀'.repeat(1101), '😀'.repeat(2201)])
      expect(caption(text).error?.issues.map(({ code, message }) => [code, message])).toEqual([
        ['too_big', 'The caption may have at most 2200 characters'],
      ]);
    expect(caption(' ').error?.issues).toMatchObject([{ code: 'too_small' }]);
  });
});
