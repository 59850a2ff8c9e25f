import { FakeApi } from '../../testing/fake-api';
import { keepToken } from '../session/session-token';
import { startBrowserLogger } from './browser-logger';

const PATH = '/api/logs/browser-logs';

describe('browser logger', () => {
  let stop = () => undefined as void;
  const silent = { ...console };
  beforeEach(() => {
    jest.useFakeTimers();
    for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const) console[method] = jest.fn();
    keepToken('abc');
  });
  afterEach(() => {
    stop();
    Object.assign(console, silent);
    jest.useRealTimers();
  });

  it('sends a batch of five entries', () => {
    const api = new FakeApi().on(`POST ${PATH}`, { success: true, message: 'Done' });
    stop = startBrowserLogger('localhost');
    for (let entry = 1; entry <= 4; entry += 1) console.warn('slow', { entry });
    expect(api.calls('POST', PATH)).toHaveLength(0);
    console.error(new Error('broken'));
    const [sent] = api.calls('POST', PATH);
    expect(sent?.body).toMatchObject({ batch: true, logs: { length: 5 } });
    expect((sent?.body as { logs: unknown[] }).logs[4]).toMatchObject({ level: 'error', message: 'Error: broken', source: '/' });
  });

  it('sends a smaller batch after one second', () => {
    const api = new FakeApi().on(`POST ${PATH}`, { success: true, message: 'Done' });
    stop = startBrowserLogger('127.0.0.1');
    console.info('hello');
    jest.advanceTimersByTime(1_000);
    expect(api.calls('POST', PATH)).toHaveLength(1);
  });

  it.each([
    [500, 1],
    [401, 0],
  ])('logs a batch that failed with status %i to the console %i times', async (status, times) => {
    const error = console.error as jest.Mock;
    new FakeApi().fail(`POST ${PATH}`, 'no', status);
    stop = startBrowserLogger('localhost');
    console.info('hello');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(error).toHaveBeenCalledTimes(times);
  });

  it('leaves the console unchanged on other hosts than localhost', () => {
    const before = console.info;
    stop = startBrowserLogger('autoposter.example.com');
    expect(console.info).toBe(before);
  });
});
