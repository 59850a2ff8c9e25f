import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { type AlertMessage, configuredChannels, deliver, signatureOf } from './channels';

const OFF = { webhook: null, slackUrl: null, email: null };
const URL = 'https://alerts.example/hook';
const MESSAGE: AlertMessage = {
  product: 'Autoposter',
  address: 'https://autoposter.example',
  text: '1 post(s) could not be published.',
  alerts: [
    {
      kind: 'publish_failed',
      count: 1,
      message: '1 post(s) could not be published.',
      items: [
        {
          itemId: 'item-1',
          title: 'Fög <!channel> & dew',
          step: 'post',
          cause: 'instagram_value_refused',
          side: 'ours',
          message: 'Instagram did not accept a value.',
          nextAction: 'Report it.',
          link: 'https://autoposter.example/admin/instagram-queue',
        },
      ],
    },
  ],
};

describe('channels over HTTP', () => {
  const answer = jest.spyOn(globalThis, 'fetch');
  beforeEach(() => answer.mockReset().mockResolvedValue(new Response(null, { status: 200 })));
  afterAll(() => answer.mockRestore());
  const sent = () => {
    const [url, init] = answer.mock.calls[0] ?? [];
    return { url, body: String(init?.body), headers: init?.headers as Record<string, string> };
  };

  it('sign the body of the webhook with the secret and the time', async () => {
    await deliver('webhook', { ...OFF, webhook: { url: URL, secret: 'a secret' } }, 'id-1', MESSAGE);
    const { url, body, headers } = sent();
    const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/u.exec(headers['autoposter-signature'] ?? '') ?? [];
    expect([url, headers['autoposter-delivery'], JSON.parse(body)]).toEqual([URL, 'id-1', MESSAGE]);
    expect(signature).toBe(signatureOf('a secret', Number(seconds), body));
    expect(signature).not.toBe(signatureOf('another', Number(seconds), body));
  });

  it('leave an unsigned webhook without a signature', async () => {
    await deliver('webhook', { ...OFF, webhook: { url: URL, secret: null } }, 'id-1', MESSAGE);
    expect(sent().headers).not.toHaveProperty('autoposter-signature');
  });

  it('escape titles in the text for Slack', async () => {
    await deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', MESSAGE);
    const { text } = JSON.parse(sent().body) as { text: string };
    expect(text).toContain(
      '<https://autoposter.example/admin/instagram-queue|Fög &lt;!channel&gt; &amp; dew>: Instagram did not accept a value.',
    );
  });

  it('name the account of a post where there are several', async () => {
    const [alert] = MESSAGE.alerts;
    const items = alert?.items?.map((item) => ({ ...item, account: '@second' })) ?? [];
    await deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', { ...MESSAGE, alerts: alert === undefined ? [] : [{ ...alert, items }] });
    expect((JSON.parse(sent().body) as { text: string }).text).toContain('dew> (@second): Instagram did not accept');
  });

  it('fail without naming the address, which can hold a secret', async () => {
    answer.mockRejectedValue(new Error(`connect ${URL}`));
    await expect(deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', MESSAGE)).rejects.toThrow(/^Slack could not be reached\.$/u);
    answer.mockResolvedValue(new Response(null, { status: 410 }));
    await expect(deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', MESSAGE)).rejects.toThrow(/^Slack responded with HTTP 410\.$/u);
    answer.mockRejectedValue(new DOMException('The operation timed out', 'TimeoutError'));
    await expect(deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', MESSAGE)).rejects.toThrow(/^Slack did not answer within 10 s\.$/u);
    await expect(deliver('slack', OFF, 'id-1', MESSAGE)).rejects.toThrow('not configured any more');
  });

  it('follow no redirect, and say that there was one', async () => {
    answer.mockResolvedValue(new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } }));
    await expect(deliver('slack', { ...OFF, slackUrl: URL }, 'id-1', MESSAGE)).rejects.toThrow(/^Slack responded with HTTP 302\.$/u);
    expect(answer.mock.calls).toHaveLength(1);
    expect(answer.mock.calls[0]?.[1]?.redirect).toBe('manual');
  });

  it('read nothing of an answer, which may be endless', async () => {
    const cancel = jest.fn();
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(Buffer.alloc(1000)), cancel });
    answer.mockResolvedValue(new Response(endless));
    await deliver('webhook', { ...OFF, webhook: { url: URL, secret: null } }, 'id-1', MESSAGE);
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});

describe('the mail channel', () => {
  /** A mail server on this machine that records what a client says. */
  async function withServer(answers: (line: string) => string | null, use: (port: number, said: string[]) => Promise<void>) {
    const said: string[] = [];
    const server = createServer((socket: Socket) => {
      let inBody = false;
      let rest = '';
      socket.write('220 test\r\n');
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        rest += data.toString();
        const lines = rest.split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          said.push(line);
          if (inBody && line !== '.') continue;
          inBody = line === 'DATA';
          socket.write(`${answers(line) ?? (line === 'DATA' ? '354 go' : line === 'QUIT' ? '221 bye' : '250 ok')}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await use((server.address() as AddressInfo).port, said);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }
  const mailTo = (port: number) => ({
    ...OFF,
    email: { url: `smtp://ada:p%40ss@127.0.0.1:${port}`, from: 'bot@example.com', to: ['a@example.com', 'b@example.com'] },
  });

  it('delivers a message to all receivers', async () => {
    await withServer(
      (line) => (line.startsWith('EHLO') ? '250-test\r\n250-SIZE 1000\r\n250 AUTH PLAIN' : line.startsWith('AUTH') ? '235 ok' : null),
      async (port, said) => {
        await deliver('email', mailTo(port), 'id-1', MESSAGE);
        expect(said.slice(0, 6)).toEqual([
          'EHLO autoposter',
          `AUTH PLAIN ${Buffer.from('\0ada\0p@ss').toString('base64')}`,
          'MAIL FROM:<bot@example.com>',
          'RCPT TO:<a@example.com>',
          'RCPT TO:<b@example.com>',
          'DATA',
        ]);
        const blank = said.indexOf('');
        expect(said.slice(6, blank)).toEqual(
          expect.arrayContaining(['From: Autoposter <bot@example.com>', 'Message-ID: <id-1@autoposter>']),
        );
        const text = Buffer.from(said.slice(blank + 1, said.indexOf('.')).join(''), 'base64').toString();
        expect(text).toContain('Fög <!channel> & dew\n  Step: post\n  Instagram did not accept a value. Report it.');
        expect(said.every((line) => line.length < 998)).toBe(true);
      },
    );
  });

  it('has each receiver for itself, so that one that is refused for now keeps the message from no other', async () => {
    const { email } = mailTo(1);
    expect(configuredChannels({ ...OFF, email })).toEqual(['email:a@example.com', 'email:b@example.com']);
    await withServer(
      (line) =>
        line.startsWith('EHLO')
          ? '250-test\r\n250 AUTH PLAIN'
          : line.startsWith('AUTH')
            ? '235 ok'
            : line.includes('TO:<b@')
              ? '451 later'
              : null,
      async (port, said) => {
        await deliver('email:a@example.com', mailTo(port), 'id-1', MESSAGE);
        await expect(deliver('email:b@example.com', mailTo(port), 'id-2', MESSAGE)).rejects.toThrow(
          /^The mail server refused RCPT TO \(451\)\.$/u,
        );
        expect(said.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<a@example.com>', 'RCPT TO:<b@example.com>']);
        await expect(deliver('email:c@example.com', mailTo(port), 'id-3', MESSAGE)).rejects.toThrow('not configured any more');
      },
    );
  });

  it('never sends a password to another machine without encryption', async () => {
    await withServer(
      (line) => (line.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : line === 'STARTTLS' ? '502 no' : null),
      async (port, said) => {
        const { email } = mailTo(port);
        const elsewhere = { ...OFF, email: { ...email, url: email.url.replace('127.0.0.1', '[::ffff:127.0.0.1]') } };
        await expect(deliver('email', elsewhere, 'id-1', MESSAGE)).rejects.toThrow(/^The mail server /u);
        expect(said.some((line) => line.startsWith('AUTH'))).toBe(false);
      },
    );
  });

  it('names the refused command, never the password', async () => {
    await withServer(
      (line) => (line.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : line.startsWith('AUTH') ? '535 no p@ss' : null),
      async (port) => {
        await expect(deliver('email', mailTo(port), 'id-1', MESSAGE)).rejects.toThrow(/^The mail server refused AUTH PLAIN \(535\)\.$/u);
      },
    );
  });
});
