import { silentLogger } from '@autoposter/observability';
import { listen, NotificationThrottle } from './notifications';
import { TIME_LIMITS } from './time-limits';

describe('NotificationThrottle', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends one notification for all requests within the interval', async () => {
    const send = jest.fn(() => Promise.resolve());
    const throttle = new NotificationThrottle(send);
    for (let request = 0; request < 5; request += 1) throttle.request('a');
    expect(send).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(50);
    expect(send).toHaveBeenCalledTimes(1);
    throttle.request('a');
    await jest.advanceTimersByTimeAsync(50);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('collects the words of each channel', async () => {
    const send = jest.fn(() => Promise.resolve());
    const throttle = new NotificationThrottle(send);
    throttle.request('events');
    throttle.request('jobs', ['ai']);
    throttle.request('jobs', ['dmca', 'ai']);
    await jest.advanceTimersByTimeAsync(50);
    expect(send.mock.calls).toEqual([
      [
        new Map([
          ['events', new Set()],
          ['jobs', new Set(['ai', 'dmca'])],
        ]),
      ],
    ]);
  });

  it('drops a failed notification and sends the next one', async () => {
    const send = jest.fn(() => Promise.reject(new Error('no connection')));
    const throttle = new NotificationThrottle(send);
    throttle.request('a');
    await jest.advanceTimersByTimeAsync(50);
    throttle.request('a');
    await jest.advanceTimersByTimeAsync(50);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('sends nothing after it was stopped', async () => {
    const send = jest.fn(() => Promise.resolve());
    const throttle = new NotificationThrottle(send);
    throttle.request('a');
    await throttle.stop();
    throttle.request('a');
    await jest.advanceTimersByTimeAsync(100);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('listen', () => {
  it.each(['Upper', 'a; DROP TABLE x', '', '1st'])('refuses the channel name %j', async (channel) => {
    const options = { url: 'postgres://127.0.0.1:1', channel, onNotify: () => undefined, logger: silentLogger, limits: TIME_LIMITS };
    await expect(listen(options)).rejects.toThrow('channel name');
  });
});
