import { connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export interface Mailbox {
  /** `smtps://user:password@host:465`, or `smtp://host:587`, which is upgraded to TLS where the server offers it. */
  url: string;
  from: string;
  to: readonly string[];
}

interface Message {
  id: string;
  subject: string;
  text: string;
}

const TIMEOUT_MS = 15_000;
const MAX_ANSWER = 16_384;
const CRLF = '\r\n';

/** The dialogue of RFC 5321: one command, one answer, which can have several lines. Errors name the command's verb and the code only. */
class SmtpDialogue {
  private buffer = '';
  private wake: () => void = () => undefined;
  private failure: Error | null = null;

  constructor(private socket: Socket) {
    this.listen();
  }

  private listen(): void {
    this.socket.setEncoding('utf8');
    this.socket.setTimeout(TIMEOUT_MS, () => this.fail(new Error('The mail server gave no answer.')));
    this.socket.on('data', (data: string) => {
      this.buffer += data;
      if (this.buffer.length > MAX_ANSWER) this.fail(new Error('The mail server answered too much.'));
      this.wake();
    });
    this.socket.on('error', () => this.fail(new Error('The connection to the mail server failed.')));
    this.socket.on('close', () => this.fail(new Error('The mail server closed the connection.')));
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.socket.destroy();
    this.wake();
  }

  async say(command: string, expected: number, verb = command.split(' ')[0] ?? ''): Promise<string> {
    if (command !== '') this.socket.write(command + CRLF);
    for (;;) {
      const end = /^(\d{3})(?: [^\r\n]*)?\r?\n/mu.exec(this.buffer);
      if (end !== null) {
        const answer = this.buffer.slice(0, end.index + end[0].length);
        this.buffer = this.buffer.slice(answer.length);
        if (Math.floor(Number(end[1]) / 100) !== Math.floor(expected / 100))
          throw new Error(`The mail server refused ${verb || 'the connection'} (${end[1]}).`);
        return answer;
      }
      if (this.failure !== null) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async secure(host: string): Promise<void> {
    this.socket.removeAllListeners();
    const plain = this.socket;
    this.buffer = '';
    this.socket = await new Promise<Socket>((resolve, reject) => {
      const secured = connectSecure({ socket: plain, servername: host }, () => resolve(secured));
      secured.setTimeout(TIMEOUT_MS, () => secured.destroy(new Error('The mail server gave no answer.')));
      secured.once('error', () => reject(new Error('The mail server has no valid certificate.')));
    });
    this.listen();
  }

  end(): void {
    this.socket.removeAllListeners('close');
    this.socket.end();
  }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Delivers one plain-text message. The id makes a repeated delivery recognisable: mail systems drop a second message with the same one. */
export async function sendEmail({ url, from, to }: Mailbox, message: Message): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const [host, number] = [hostname, Number(port || (isSecure ? 465 : 587))];
  const socket = isSecure ? connectSecure({ host, port: number, servername: host }) : connect({ host, port: number });
  const server = new SmtpDialogue(socket);
  try {
    await server.say('', 220);
    let offers = await server.say('EHLO autoposter', 250);
    if (!isSecure && /^250[ -]STARTTLS/imu.test(offers)) {
      await server.say('STARTTLS', 220);
      await server.secure(host);
      offers = await server.say('EHLO autoposter', 250);
    } else if (!isSecure && username !== '' && !LOCAL.includes(host)) {
      throw new Error('The mail server offers no encryption, so the password is not sent.');
    }
    if (username !== '')
      await server.say(`AUTH PLAIN ${base64(`\0${decodeURIComponent(username)}\0${decodeURIComponent(password)}`)}`, 235, 'AUTH');
    await server.say(`MAIL FROM:<${from}>`, 250);
    for (const address of to) await server.say(`RCPT TO:<${address}>`, 250);
    await server.say('DATA', 354);
    await server.say(`${render({ from, to }, message)}${CRLF}.`, 250, 'DATA');
    await server.say('QUIT', 221);
  } finally {
    server.end();
  }
}

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

/** The body is Base64, so that no line is too long and none begins with a dot. */
function render({ from, to }: Pick<Mailbox, 'from' | 'to'>, { id, subject, text }: Message): string {
  const lines = base64(text).match(/.{1,76}/gu) ?? [];
  return [
    `From: Autoposter <${from}>`,
    `To: ${to.join(', ')}`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@autoposter>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
  ].join(CRLF);
}

/** An encoded word has at most 75 characters (RFC 2047); twelve characters of text take at most 64. */
const encodedWords = (text: string): string =>
  (text.match(/.{1,12}/gsu) ?? []).map((part) => `=?UTF-8?B?${base64(part)}?=`).join(`${CRLF} `);
