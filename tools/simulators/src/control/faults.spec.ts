import { FaultInjector, faultSchema } from './faults';
import { PRESETS } from './presets/presets';

const call = (injector: FaultInjector, path = '/r/pics/top'): number | null =>
  injector.match('reddit-api', 'GET', path)?.fault.status ?? null;

describe('FaultInjector', () => {
  it('applies a fault to matching requests only', () => {
    const injector = new FaultInjector();
    injector.add({ match: { system: 'reddit-api', method: 'get', path: '^/r/pics' }, status: 503 });
    expect(call(injector)).toBe(503);
    expect(call(injector, '/r/aww/top')).toBeNull();
    expect(injector.match('groq', 'GET', '/r/pics')).toBeNull();
    expect(injector.match('reddit-api', 'POST', '/r/pics')).toBeNull();
  });

  it('applies a fault the configured number of times', () => {
    const injector = new FaultInjector();
    injector.add({ match: { times: 2 }, status: 500 });
    expect([call(injector), call(injector), call(injector)]).toEqual([500, 500, null]);
  });

  it('applies nth without times to one request and with times to the following ones as well', () => {
    const alone = new FaultInjector();
    alone.add({ match: { nth: 2 }, status: 500 });
    expect([call(alone), call(alone), call(alone)]).toEqual([null, 500, null]);
    const several = new FaultInjector();
    several.add({ match: { nth: 2, times: 2 }, status: 500 });
    expect([call(several), call(several), call(several), call(several)]).toEqual([null, 500, 500, null]);
  });

  it('applies the oldest fault first and the next one when it is used up', () => {
    const injector = new FaultInjector();
    injector.add({ match: { times: 1 }, status: 500 });
    injector.add({ match: {}, status: 503 });
    expect([call(injector), call(injector)]).toEqual([500, 503]);
    injector.reset();
    expect(call(injector)).toBeNull();
  });

  it('inserts the groups of the path expression into the body', () => {
    const injector = new FaultInjector();
    injector.add({ match: { path: '/models/([^:]+):' }, status: 429, body: { model: '$1' } });
    expect(injector.match('gemini', 'POST', '/v1beta/models/x-1:generateContent')?.body).toBe('{"model":"x-1"}');
  });

  it('rejects invalid regular expressions and unknown fields', () => {
    expect(faultSchema.safeParse({ match: { path: '(' } }).success).toBe(false);
    expect(faultSchema.safeParse({ match: {}, stauts: 500 }).success).toBe(false);
  });
});

describe('PRESETS', () => {
  it.each(Object.entries(PRESETS))('%s is a valid fault with an effect', (_name, { about, fault }) => {
    const parsed = faultSchema.parse(fault);
    expect(about.endsWith('.')).toBe(true);
    expect(
      [parsed.status, parsed.body, parsed.cut, parsed.truncate, parsed.behaviour, parsed.delayMs].some((effect) => effect !== undefined),
    ).toBe(true);
  });
});
