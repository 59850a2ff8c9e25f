import { createHmac } from 'node:crypto';
import type { NoticeAlert } from '@autoposter/domain';
import { createTransport } from 'nodemailer';

/** A problem with one post: what administrators need without opening the console. */
export interface AlertItem {
  itemId: string;
  title: string;
  /** Name of the account that it is for, where there are several. */
  account?: string;
  /** The step of the pipeline that it is in. */
  step: string;
  /** Code of the failure; equal causes have equal codes. */
  cause: string;
  side: string | null;
  message: string;
  nextAction: string | null;
  /** The page of the console that shows it. */
  link: string;
}

export interface Alert {
  kind:
    | 'publish_failed'
    | 'publish_unknown'
    | 'publish_overdue'
    | 'publish_unchecked'
    | 'rights_held'
    | 'comment_failed'
    | 'platform_match'
    | 'case_opened'
    | 'case_overdue'
    | NoticeAlert
    | 'permission_ends'
    | 'dead_letter'
    | 'token_expires'
    | 'publishing_stopped'
    | 'messages_refused';
  count: number;
  message: string;
  items?: AlertItem[];
}

/** What a notification stores, and the body of the webhook. */
export interface AlertMessage {
  product: 'Autoposter';
  address: string;
  text: string;
  alerts: Alert[];
}

/** A channel is off while its address is `null`. */
export interface AlertChannels {
  webhook: { url: string; secret: string | null } | null;
  slackUrl: string | null;
  email: Mailbox | null;
}

/** Each receiver of mails is a channel: what one of them refuses, the others still get once. */
export const configuredChannels = ({ webhook, slackUrl, email }: AlertChannels): string[] => [
  ...(webhook === null ? [] : ['webhook']),
  ...(slackUrl === null ? [] : ['slack']),
  ...(email?.to ?? []).map((address) => `${MAIL}${address}`),
];

const MAIL = 'email:';

const TIMEOUT_MS = 10_000;

/** Delivers a message over one channel. Throws without a success; the error never contains an address, which can hold a secret. */
export async function deliver(channel: string, channels: AlertChannels, id: string, message: AlertMessage): Promise<void> {
  if (channel === 'webhook' && channels.webhook !== null) return postWebhook(channels.webhook, id, message);
  if (channel === 'slack' && channels.slackUrl !== null) return post('Slack', channels.slackUrl, { text: slackText(message) });
  const to = receiversOf(channel, channels.email);
  if (channels.email !== null && to.length > 0) {
    const [first] = message.alerts;
    return sendEmail(
      { ...channels.email, to },
      {
        id,
        subject: `Autoposter: ${first?.message ?? message.text}`.slice(0, 200),
        text: plainText(message),
      },
    );
  }
  throw new Error('This channel is not configured any more.');
}

/** Messages of earlier versions have one channel for all receivers of mails. */
function receiversOf(channel: string, email: Mailbox | null): readonly string[] {
  if (email === null || channel === 'email') return email?.to ?? [];
  return email.to.filter((address) => channel === `${MAIL}${address}`);
}

/**
 * The signature lets the receiver check who sent the body and when: `t` is the Unix time, `v1` the HMAC-SHA256 of `<t>.<body>` with
 * ALERT_WEBHOOK_SECRET. The delivery id is the same in a repeated delivery.
 */
async function postWebhook({ url, secret }: NonNullable<AlertChannels['webhook']>, id: string, message: AlertMessage): Promise<void> {
  const body = JSON.stringify(message);
  const seconds = Math.floor(Date.now() / 1000);
  const signature: Record<string, string> =
    secret === null ? {} : { 'autoposter-signature': `t=${seconds},v1=${signatureOf(secret, seconds, body)}` };
  await post('The alert address', url, body, { 'autoposter-delivery': id, ...signature });
}

export const signatureOf = (secret: string, seconds: number, body: string): string =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');

async function post(receiver: string, url: string, body: object | string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    // a redirect is an answer like any other that is no success: the message is for this address alone
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    const isLate = (error as { name?: unknown } | null)?.name === 'TimeoutError';
    throw new Error(isLate ? `${receiver} did not answer within ${TIMEOUT_MS / 1000} s.` : `${receiver} could not be reached.`);
  });
  // nothing in it is needed, and it may be endless
  await response.body?.cancel().catch(() => undefined);
  if (!response.ok) throw new Error(`${receiver} responded with HTTP ${response.status}.`);
}

/** Titles come from outside: without escaping they could mention a whole channel or disguise a link. */
const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');

function slackText({ alerts }: AlertMessage): string {
  const lines = alerts.flatMap(({ message, items = [] }) => [
    `*${escaped(message)}*`,
    ...items.map(
      (item) => `• <${item.link}|${escaped(item.title).replace(/\|/gu, '/')}>${escaped(ofAccount(item))}: ${escaped(sentences(item))}`,
    ),
  ]);
  return lines.join('\n');
}

function plainText({ address, alerts }: AlertMessage): string {
  const blocks = alerts.flatMap(({ message, items = [] }) => [
    message,
    ...items.map(({ title, step, link, ...item }) => `${title}${ofAccount(item)}\n  Step: ${step}\n  ${sentences(item)}\n  ${link}`),
  ]);
  return [...blocks, address].join('\n\n');
}

const ofAccount = ({ account }: Pick<AlertItem, 'account'>): string => (account === undefined ? '' : ` (${account})`);

const sentences = ({ message, nextAction }: Pick<AlertItem, 'message' | 'nextAction'>): string =>
  [message, nextAction].filter((text) => text !== null && text !== '').join(' ');

interface Mailbox {
  /** `smtps://user:password@host:465`, or `smtp://host:587`, which is upgraded to TLS where the server offers it. */
  url: string;
  from: string;
  to: readonly string[];
}

interface Mail {
  id: string;
  subject: string;
  text: string;
}

const MAIL_TIMEOUT_MS = 15_000;
const LOCAL = ['127.0.0.1', 'localhost', '::1'];

/** Delivers one plain-text message. The id makes a repeated delivery recognisable: mail systems drop a second message with the same one. */
async function sendEmail({ url, from, to }: Mailbox, { id, subject, text }: Mail): Promise<void> {
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
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
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
  const refused = await sending.then(() => null, mailRefusal);
  transport.close();
  if (refused !== null) throw new Error(refused);
}

interface MailError {
  command?: string;
  responseCode?: number;
  code?: string;
  originalCode?: string;
}

/** Contains only command and reply code: the server's text can repeat secrets that it received. */
function mailRefusal(error: unknown): string {
  const { command = 'the connection', responseCode, originalCode, code } = error as MailError;
  if (responseCode !== undefined) return `The mail server refused ${command} (${responseCode}).`;
  // nodemailer replaces the code of a refused certificate, but keeps it
  return `The mail server could not be used (${originalCode ?? code ?? 'unknown'}).`;
}
