import { parseFields } from './media-fields';

describe('parseFields', () => {
  it('parses names, arguments and nested lists', () => {
    expect(parseFields('id, business_discovery.username(some.body){media.limit(2).after(ab=){id,children{id}}},name')).toEqual([
      { name: 'id', args: {}, fields: [] },
      {
        name: 'business_discovery',
        args: { username: 'some.body' },
        fields: [
          {
            name: 'media',
            args: { limit: '2', after: 'ab=' },
            fields: [
              { name: 'id', args: {}, fields: [] },
              { name: 'children', args: {}, fields: [{ name: 'id', args: {}, fields: [] }] },
            ],
          },
        ],
      },
      { name: 'name', args: {}, fields: [] },
    ]);
  });

  it.each(['a{b', 'a}b', 'a b', '{}', 'a{b}}'])('rejects %s', (source) => {
    expect(parseFields(source)).toBeNull();
  });
});
