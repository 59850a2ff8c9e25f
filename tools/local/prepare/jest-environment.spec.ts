import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

type Globals = Record<string, unknown> & { process: { env: Record<string, string | undefined> } };

/** The members of Jest's environments that sharing uses. */
class PlainEnvironment {
  readonly global: Globals = { known: 1, process: { env: { ...process.env } } };
  readonly moduleMocker = { restoreAllMocks: jest.fn() };
  readonly fakeTimers = { useRealTimers: jest.fn() };
  readonly fakeTimersModern = { useRealTimers: jest.fn() };
  readonly ended = jest.fn();

  constructor(
    _config: object,
    readonly context: { console: Pick<Console, 'log'> },
  ) {}

  teardown(): void {
    this.ended();
  }
}

const { sharing, shareModules } = jest.requireActual<{
  shareModules(environment: object, runtime: object, specFile: string): void;
  sharing(Base: typeof PlainEnvironment): new (config: object, context: object) => PlainEnvironment & { sharesModules: boolean };
}>('./jest-environment.cjs');
const Shared = sharing(PlainEnvironment);
const enter = (id: string, log: jest.Mock = jest.fn(), globalConfig = {}) =>
  new Shared({ projectConfig: { id }, globalConfig }, { console: { log } });

describe('the shared environment', () => {
  it('is the same for all files of a project, and logs to the console of the running file', () => {
    const [first, second] = [jest.fn(), jest.fn()];
    const environment = enter('a', first);
    environment.context.console.log('one');
    expect(enter('a', second)).toBe(environment);
    expect(enter('b')).not.toBe(environment);
    environment.context.console.log('two');
    expect([first.mock.calls, second.mock.calls]).toEqual([[['one']], [['two']]]);
  });

  it('restores globals, environment variables, mocks and timers after a file, and keeps what modules have added', async () => {
    const { global, moduleMocker, fakeTimers, fakeTimersModern, teardown } = enter('c');
    const before = { ...global.process.env };
    Object.assign(global, { known: 2, added: 3 });
    Object.assign(global.process.env, { PATH: 'changed', ADDED: 'yes' });
    await teardown.call(enter('c'));
    expect([global['known'], global['added'], global.process.env]).toEqual([1, 3, before]);
    for (const restored of [moduleMocker.restoreAllMocks, fakeTimers.useRealTimers, fakeTimersModern.useRealTimers])
      expect(restored).toHaveBeenCalledTimes(1);
  });

  it('is new for each file while files are watched', async () => {
    const [first, second] = [enter('d', jest.fn(), { watch: true }), enter('d', jest.fn(), { watch: true })];
    expect(first).not.toBe(second);
    await first.teardown();
    expect(first.ended).toHaveBeenCalledTimes(1);
  });
});

describe('shareModules', () => {
  const runtime = () => ({
    requireModuleOrMock: jest.fn((_from: string, name: string) => name),
    requireActual: jest.fn(),
    getSourceMaps: () => new Map<string, string>(),
  });
  const spec = (source: string): string => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'autoposter-shared-')), 'a.spec.ts');
    fs.writeFileSync(file, source);
    return file;
  };

  it('loads what the later files import with the loader of the first file', () => {
    const [first, second, file, environment] = [runtime(), runtime(), spec(''), {}];
    const own = second.requireModuleOrMock;
    for (const one of [first, second]) shareModules(environment, one, file);
    expect(['./module', '@jest/globals'].map((name) => second.requireModuleOrMock(file, name))).toEqual(['./module', '@jest/globals']);
    expect([first.requireModuleOrMock.mock.calls, own.mock.calls]).toEqual([[[file, './module']], [[file, '@jest/globals']]]);
  });

  it('refuses a spec that replaces modules', () => {
    const file = spec(['jest', "mock('./module')"].join('.'));
    expect(() => shareModules({}, runtime(), file)).toThrow('This spec replaces modules');
  });
});
