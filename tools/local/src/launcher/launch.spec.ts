import { checkRequest } from './launch';
import type { Mode } from './options';

const check = (mode: Mode, env: Record<string, string>) =>
  checkRequest({ mode, argv: [], env, root: '/workspace', print: () => undefined });

describe('checkRequest', () => {
  it.each(['eighty', '0', '70000'])('reports PORT=%s together with all other wrong variables', (PORT) => {
    const all = /PORT must be [^]*TIME_ZONE must be /u;
    expect(() => check('demo', { PORT, TIME_ZONE: 'Mars/Base' })).toThrow(all);
    expect(() => check('start', { PORT, TIME_ZONE: 'Mars/Base' })).toThrow(/JWT_SECRET is missing/u);
    expect(() => check('start', { PORT, TIME_ZONE: 'Mars/Base' })).toThrow(all);
  });

  it('reads the port, and takes an empty one as not set', () => {
    expect(['3001', ' ', ''].map((PORT) => check('demo', { PORT }).options.port)).toEqual([3001, null, null]);
  });
});
