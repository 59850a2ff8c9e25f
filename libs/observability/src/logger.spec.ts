import { createLogger } from './logger';
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

  it('tells an error with its code and cause', () => {
    const error = Object.assign(new Error('no answer', { cause: new Error('refused') }), { code: 'ECONNREFUSED' });
    const [line] = logged((logger) => logger.error({ error }, 'failed'));
    expect(line?.error).toMatchObject({ message: 'no answer', code: 'ECONNREFUSED', cause: { message: 'refused' } });
  });

  it('lets no secret through, wherever it hides', () => {
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

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
    ['/cb?code=4/0Axyz&state=1', '/cb?code=[redacted]&state=1'],
    ['postgresql://a:b@h/d', 'postgresql://a:[redacted]@h/d'],
    ['nothing to hide: https://reddit.com/r/aww/comments/1abc', 'nothing to hide: https://reddit.com/r/aww/comments/1abc'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });
});
