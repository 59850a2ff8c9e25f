import { SERVICES } from '@autoposter/config';
import { type Mode, readOptions } from './options';

const read = (mode: Mode, argv: string[], env: Record<string, string> = {}) =>
  readOptions({ mode, argv, env, root: '/workspace', print: () => undefined });

describe('readOptions', () => {
  it('starts every service and serves the console by default', () => {
    expect(read('demo', [])).toEqual({
      mode: 'demo',
      root: '/workspace',
      dataDir: '/workspace/.autoposter/demo',
      reset: false,
      port: null,
      services: SERVICES,
      console: true,
    });
  });

  it('keeps the data of each mode in a folder of its own, unless DATA_DIR names one', () => {
    expect((['demo', 'dev', 'start'] as const).map((mode) => read(mode, []).dataDir)).toEqual([
      '/workspace/.autoposter/demo',
      '/workspace/.autoposter/dev',
      '/workspace/.autoposter/live',
    ]);
    expect(read('demo', [], { DATA_DIR: '/data' }).dataDir).toBe('/data');
  });

  it('starts only the named programs in development', () => {
    expect(read('dev', ['downloader', 'gateway'])).toMatchObject({ services: ['gateway', 'downloader'], console: false });
    expect(read('dev', ['console', 'gateway'])).toMatchObject({ services: ['gateway'], console: true });
    expect(() => read('demo', ['gateway'])).toThrow('Unknown option gateway; known are --reset --yes --memory.');
  });

  it('refuses unknown options and a reset of an external database', () => {
    expect(() => read('start', ['--reset'])).toThrow('Unknown option --reset; known are --yes.');
    expect(() => read('demo', ['--reset'], { DATABASE_URL: 'postgresql://somewhere' })).toThrow('does not empty the database');
  });
});
