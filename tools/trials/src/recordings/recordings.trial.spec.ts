import { decidingFields, kindByFields } from './recordings.trial';

describe('kindByFields', () => {
  it.each([
    [{ is_video: true, post_hint: 'hosted:video', domain: 'v.redd.it', media: {} }, 'video'],
    [{ post_hint: 'image', domain: 'i.redd.it' }, 'image'],
    [{ is_self: true, domain: 'self.aww' }, 'text'],
    [{ post_hint: 'link', domain: 'example.org' }, 'link'],
  ])('classifies %j as %s', (post, kind) => expect(kindByFields(post)).toBe(kind));

  it('returns null for unknown combinations of fields', () => {
    expect(kindByFields({ is_video: true, domain: 'example.org' })).toBeNull();
    expect(decidingFields({ is_video: true, domain: 'example.org' })).toBe('is_video outside');
  });
});
