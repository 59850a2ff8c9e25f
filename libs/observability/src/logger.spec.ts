import { createLogger, LimitedLog } from './logger';
import { redactText } from './redaction';

const logged = (write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] => {
  const lines: string[] = [];
  write(createLogger({ service: 'gateway', level: 'info', stream: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('createLogger', () => {
  it('writes one JSON line with level, service and time', () => {
    const [line] = logged((logger) => logger.info({ itemId: 'x' }, 'moved'));
    expect(line).toMatchObject({ level: 'info', service: 'gateway', itemId: 'x', msg: 'moved' });
    expect(Date.parse(String(line?.time))).not.toBeNaN();
  });

  it('keeps quiet below its level', () => {
    expect(logged((logger) => logger.debug({}, 'detail'))).toEqual([]);
  });

  it('logs an error with its code and cause', () => {
    const error = Object.assign(new Error('no answer', { cause: new Error('refused') }), { code: 'ECONNREFUSED' });
    const [line] = logged((logger) => logger.error({ error }, 'failed'));
    expect(line?.error).toMatchObject({ message: 'no answer', code: 'ECONNREFUSED', cause: { message: 'refused' } });
  });

  it('redacts secrets at any place', () => {
    const secret = 'IGAAsecretsecretsecret123456';
    const lines = logged((logger) => {
      logger.info({ token: secret, request: { headers: { authorization: `Bearer ${secret}` } } }, 'asked');
      logger.warn({ url: `https://graph.instagram.com/me?fields=id&access_token=${secret}` }, `called with ${secret}`);
      logger.error({ error: new Error(`connect postgresql://user:${secret}@db/x`) }, 'failed');
    });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

describe('the size of a log line', () => {
  it('is bounded, whatever the line is given', () => {
    const long = 'x'.repeat(100_000);
    const deep = JSON.parse('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)) as object;
    const error = Object.assign(new Error(long, { cause: new Error(long, { cause: new Error(long) }) }), { code: long });
    const lines: string[] = [];
    const logger = createLogger({ service: 'gateway', stream: { write: (line) => lines.push(line) } });
    logger.warn({ long, deep, error, list: Array.from({ length: 5_000 }, () => long), [long]: 1, bytes: Buffer.alloc(9_000) }, long);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThan(60_000);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'warn',
      bytes: '[9000 bytes]',
      msg: expect.stringContaining('98000 more characters'),
    });
  });

  it('leaves short facts as they are', () => {
    const facts = { n: 1, at: new Date(0), list: [1, { a: null }], yes: true };
    expect(logged((logger) => logger.info(facts, 'told'))[0]).toMatchObject({ ...facts, at: '1970-01-01T00:00:00.000Z' });
  });
});

describe('LimitedLog', () => {
  it('writes 20 lines of a flood, then one a minute with the number of those left out', () => {
    const told: object[] = [];
    let now = 0;
    const limited = new LimitedLog({ warn: (facts) => told.push(facts), error: (facts) => told.push(facts) }, () => now);
    for (let n = 0; n < 740; n += 1) limited.warn({ n }, 'refused');
    expect(told).toHaveLength(20);
    now = 60_000;
    for (let n = 0; n < 740; n += 1) limited.error({ n }, 'refused');
    expect(told.slice(20)).toEqual([{ n: 0, leftOut: 720 }]);
    now = 3_600_000;
    for (let n = 0; n < 740; n += 1) limited.warn({ n }, 'refused');
    expect(told).toHaveLength(41);
  });
});

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
    ['/cb?code=4/0Axyz&state=1', '/cb?code=[redacted]&state=1'],
    ['postgresql://a:b@h/d', 'postgresql://a:[redacted]@h/d'],
    ['token IGQWRNsecretsecretsecretsecret x', 'token [redacted] x'],
    ['EAAGm0PX4ZCpsBAsecretsecretsecret', '[redacted]'],
    ['grant_type=refresh_token&refresh_token=1//0abcdef&x=1', 'grant_type=refresh_token&refresh_token=[redacted]&x=1'],
    ['password=hunter2 ok', 'password=[redacted] ok'],
    ['password: hunter2 ok', 'password: [redacted] ok'],
    ['{"password":"my \\"pass phrase","a":1}', '{"password":"[redacted]","a":1}'],
    ['{\\"access_token\\":\\"abc def\\",\\"b\\":1}', '{\\"access_token\\":\\"[redacted]\\",\\"b\\":1}'],
    ["{ secret: 'abc def' }", "{ secret: '[redacted]' }"],
    ['client_secret: abcdefgh', 'client_secret: [redacted]'],
    ['INSTAGRAM_APP_SECRET=0123456789abcdef', 'INSTAGRAM_APP_SECRET=[redacted]'],
    ['appsecret_proof=0123abc', 'appsecret_proof=[redacted]'],
    ['https://hooks.slack.com/services/T000/B000/XXXX', 'https://hooks.slack.com/[redacted]'],
    ['https://discord.com/api/webhooks/123/abc', 'https://discord.com/[redacted]'],
    ['/media/1763750000/abcdefghijklmnopqrstuvwx/originals/ab/x.mp4', '/media/1763750000/[redacted]/originals/ab/x.mp4'],
    ['/api/media/video/01?expires=1&signature=abcDEF', '/api/media/video/01?expires=1&signature=[redacted]'],
    ['x-eyJhbGciOiJ.eyJzdWIiOi.sig', 'x-[redacted]'],
    ['sealed eyJhbGciOiJkaXIi..abc.def.ghi', 'sealed [redacted]'],
    ['Cookie: a=b; c=d', 'Cookie: [redacted]'],
    ['error:token=abc', 'error:token=[redacted]'],
    ['max_tokens=2000 tokens: 5', 'max_tokens=2000 tokens: 5'],
    ['The access token: expired', 'The access token: expired'],
    ['nothing to hide: https://reddit.com/r/aww/comments/1abc', 'nothing to hide: https://reddit.com/r/aww/comments/1abc'],
  ])('masks "%s" as "%s"', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it('cuts a text before it searches it', () => {
    expect(redactText('x'.repeat(1_000_000)).length).toBeLessThan(70_000);
  });
});
