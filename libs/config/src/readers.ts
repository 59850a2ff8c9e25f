import { isIP } from 'node:net';
import { z } from 'zod';

/** An empty value in an `.env` file means "not set". */
const present = (value: unknown): unknown => (typeof value === 'string' && value.trim() === '' ? undefined : value);

export const text = () => z.preprocess(present, z.string().trim().optional());
export const textOr = (fallback: string) => z.preprocess(present, z.string().trim().default(fallback));

/** The version in the paths of the Graph API: any other text would make each call fail as if Instagram refused it. */
export const graphVersion = (fallback: string) =>
  z.preprocess(
    present,
    z
      .string()
      .trim()
      .regex(/^v\d{1,3}\.\d$/u, 'must be a version such as v26.0')
      .default(fallback),
  );

/**
 * Text that is sent in a request header. Anything else, such as a quotation mark or an invisible character of a copied key, fails in each
 * request as if the other system were unreachable.
 */
export const headerText = () =>
  z.preprocess(
    present,
    z
      .string()
      .trim()
      .superRefine((value, context) => {
        const wrong = /[^ -~]/u.exec(value)?.[0].codePointAt(0);
        if (wrong === undefined) return;
        const character = `U+${wrong.toString(16).toUpperCase().padStart(4, '0')}`;
        context.addIssue(`must have only letters, digits and signs of ASCII, but has the character ${character}; copy it again`);
      })
      .optional(),
  );

export const wholeNumber = (fallback: number, min: number, max: number) =>
  z.preprocess(
    present,
    z.coerce
      .number({ error: 'must be a number' })
      .int('must be a whole number')
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`)
      .default(fallback),
  );

export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values, fallback: Values[number]) =>
  z.preprocess(present, z.enum(values, { error: `must be one of ${values.join(', ')}` }).default(fallback as never));

export const oneOfOrNone = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess(present, z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional());

export const flag = (fallback: boolean) =>
  z.preprocess(
    present,
    z
      .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
      .transform((value) => ['true', '1', 'yes'].includes(value))
      .default(fallback),
  );

/** Comma-separated; empty entries are dropped. */
export const list = () =>
  z.preprocess(
    present,
    z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry !== ''),
      ),
  );

/** Pairs such as `ada@example.com=108201`, comma-separated; addresses in lower case. */
export const accounts = () =>
  list().transform((entries, context) => {
    const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
    if (pairs.some(([email, id, ...more]) => !email?.includes('@') || !id || more.length > 0)) {
      context.addIssue({ code: 'custom', message: 'must be pairs such as ada@example.com=108201, separated by commas' });
      return z.NEVER;
    }
    return new Map(pairs.map(([email = '', id = '']) => [email.toLowerCase(), id]));
  });

const parse = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

const isHttp = (value: string): boolean => ['http:', 'https:'].includes(parse(value)?.protocol ?? '');

/** Scheme, host and port without a path, as in every `*_URL` of an external system. */
const origin = (value: string): boolean => {
  const url = parse(value);
  return url !== null && isHttp(value) && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
};

const asOrigin = (value: string): string => new URL(value).origin;
const ORIGIN_RULE = 'must be an origin such as https://host.example, without a path';

export const originOr = (fallback: string) =>
  z.preprocess(present, z.string().trim().refine(origin, ORIGIN_RULE).transform(asOrigin).default(fallback));
export const originOrNone = () => z.preprocess(present, z.string().trim().refine(origin, ORIGIN_RULE).transform(asOrigin).optional());

const ADDRESS_RULE = 'must be an http or https address';
export const addressOr = (fallback: string) => z.preprocess(present, z.string().trim().refine(isHttp, ADDRESS_RULE).default(fallback));
export const addressOrNone = () => z.preprocess(present, z.string().trim().refine(isHttp, ADDRESS_RULE).optional());

const mailbox = /^[^\s@<>,]{1,64}@[^\s@<>,]{1,255}$/u;
const MAILBOX_RULE = 'must be mail addresses such as ada@example.com';

export const mailboxes = () => list().refine((entries) => entries.every((entry) => mailbox.test(entry)), MAILBOX_RULE);
export const mailboxOrNone = () => z.preprocess(present, z.string().trim().regex(mailbox, MAILBOX_RULE).optional());

export const mailServerOrNone = () =>
  z.preprocess(
    present,
    z
      .string()
      .trim()
      .refine(
        (value) => ['smtp:', 'smtps:'].includes(parse(value)?.protocol ?? ''),
        'must be an address such as smtps://user:password@host:465',
      )
      .optional(),
  );

export const databaseAddress = () =>
  z.preprocess(
    present,
    z
      .string({ error: 'is missing' })
      .trim()
      .refine(
        (value) => ['postgres:', 'postgresql:'].includes(parse(value)?.protocol ?? ''),
        'must be an address such as postgresql://user:password@host:5432/name',
      ),
  );

export const timeZone = (fallback: string) =>
  z.preprocess(
    present,
    z
      .string()
      .trim()
      .refine((zone) => {
        try {
          return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
        } catch {
          return false;
        }
      }, 'must be a time zone such as Europe/Berlin')
      .default(fallback),
  );

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
const PROXY_RULE = 'must be false, a number of hops from 1 to 16, or addresses such as 10.0.0.0/8 or loopback, comma-separated';

/** Express' `trust proxy`: the proxies whose `X-Forwarded-For` counts. A range of all addresses equals `true`. */
export const trustedProxies = () =>
  z.preprocess(
    present,
    z
      .string()
      .trim()
      .default('false')
      .transform((value, context): boolean | number | string => {
        if (value === 'true' || value === 'false') return value === 'true';
        if (/^\d+$/u.test(value)) {
          if (Number(value) <= 16) return Number(value) === 0 ? false : Number(value);
        } else if (value.split(',').every((entry) => isProxyRange(entry.trim()))) {
          return value.split(',').some((entry) => /\/0+$/u.test(entry.trim())) ? true : value;
        }
        context.addIssue({ code: 'custom', message: PROXY_RULE });
        return z.NEVER;
      }),
  );

function isProxyRange(entry: string): boolean {
  if (PROXY_NAMES.includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Ascending seconds, comma-separated. */
export const secondsList = (fallback: readonly number[]) =>
  z.preprocess(
    present,
    z
      .string()
      .transform((value) => value.split(',').map((entry) => Number(entry.trim())))
      .refine(
        (values) => values.every((value, index) => Number.isFinite(value) && value >= 0 && value >= (values[index - 1] ?? 0)),
        'must be rising numbers of seconds, separated by commas',
      )
      .default([...fallback]),
  );

/** `label:before` or `label:after`, with `#n` for the nth time. */
export const faultPlace = () =>
  z.preprocess(
    present,
    z
      .string()
      .regex(/^[a-z]+:(?:before|after)(?:#[1-9]\d*)?$/u, 'must look like claim:before or commit:after#2')
      .optional(),
  );
