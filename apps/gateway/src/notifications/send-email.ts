import { createTransport } from 'nodemailer';

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
const LOCAL = ['127.0.0.1', 'localhost', '::1'];

/** Delivers one plain-text message. The id makes a repeated delivery recognisable: mail systems drop a second message with the same one. */
export async function sendEmail({ url, from, to }: Mailbox, { id, subject, text }: Message): Promise<void> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/gu, '');
  const transport = createTransport({
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    name: 'autoposter',
    // a password is not sent to another machine without encryption
    requireTLS: username !== '' && !LOCAL.includes(host),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const sending = transport.sendMail({
    from: { name: 'Autoposter', address: from },
    to: [...to],
    subject,
    text,
    textEncoding: 'base64',
    messageId: `<${id}@autoposter>`,
  });
  const refused = await sending.then(() => null, refusal);
  transport.close();
  if (refused !== null) throw new Error(refused);
}

interface Refusal {
  command?: string;
  responseCode?: number;
  code?: string;
  originalCode?: string;
}

/** Contains only command and reply code: the server's text can repeat secrets that it received. */
function refusal(error: unknown): string {
  const { command = 'the connection', responseCode, originalCode, code } = error as Refusal;
  if (responseCode !== undefined) return `The mail server refused ${command} (${responseCode}).`;
  // nodemailer replaces the code of a refused certificate, but keeps it
  return `The mail server could not be used (${originalCode ?? code ?? 'unknown'}).`;
}
