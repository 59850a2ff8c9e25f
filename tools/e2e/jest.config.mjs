import base from '../../jest.config.mjs';

const node = base.projects.find(({ displayName }) => displayName === 'node');

/** The journeys in a real browser: `*.e2e.spec.ts`, each with a running product of its own. */
export default {
  ...node,
  displayName: 'e2e',
  roots: ['<rootDir>/tools/e2e'],
  testMatch: ['**/*.e2e.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 600_000,
  testSequencer: base.testSequencer,
};
