import { missingPlatforms } from './lock';

describe('missingPlatforms', () => {
  const owner = { version: '1.0.0', optionalDependencies: { 'x-linux': '1.0.0', 'x-darwin': '1.0.0' } };

  it('accepts optional packages beside their owner or above it', () => {
    const packages = {
      '': {},
      'node_modules/a/node_modules/x': owner,
      'node_modules/a/node_modules/x-linux': {},
      'node_modules/x-darwin': {},
    };
    expect(missingPlatforms(packages)).toEqual([]);
  });

  it('reports an optional package that the lock file lacks', () => {
    const packages = { '': {}, 'node_modules/x': owner, 'node_modules/x-linux': {}, 'node_modules/b/node_modules/x-darwin': {} };
    expect(missingPlatforms(packages)).toEqual([
      expect.objectContaining({ rule: 'x-darwin, an optional part of x, is not in the lock file' }),
    ]);
  });
});
