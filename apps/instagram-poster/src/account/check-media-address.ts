import { setTimeout as pause } from 'node:timers/promises';
import { ADDRESS_REPORT, type Failure, failureOf, type MediaAddressTest, SETTING, toFailure } from '@autoposter/domain';
import type { Systems } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { repeatUntilAborted } from '@autoposter/resilience';
import type { MediaLinks } from '../post/media-source';

/** The name under which Meta's servers fetch media. Source: Meta, "Meta Web Crawlers". */
const FETCHER = 'facebookexternalhit';
const USER_AGENT = `${FETCHER}/1.1 (+http://www.facebook.com/externalhit_uatext.php)`;
const TIMEOUT_MS = 15_000;
const MAX_ROBOTS_BYTES = 100_000;

/** A stored file and the address under which Instagram fetches it. */
interface MediaLink {
  url: string;
  contentType: string;
  bytes: number;
}

/** What Instagram would find wrong with the address of a stored file. */
export interface MediaReach {
  problemWith(file: { objectKey: string; contentType: string; bytes: number }, now: Date): Promise<Failure | null>;
}

/**
 * Only an answer counts, or a certificate: the internet may know and reach an address that this process does not, such as the own one behind a
 * router, and Instagram reports the rest.
 */
const SEEN_FROM_HERE_ONLY: readonly string[] = ['media_address_unknown', 'media_address_unreachable'];

export const mediaReach = (links: MediaLinks, objects: StoredFiles, fetchFn: typeof fetch = fetch): MediaReach => ({
  async problemWith({ objectKey, contentType, bytes }, now) {
    if (!links.isPublic) return null;
    const problem = await checkMediaAddress({ url: links.forMeta(objectKey, now), contentType, bytes }, fetchFn);
    if (problem === null || SEEN_FROM_HERE_ONLY.includes(problem.code)) return null;
    return causeOf(problem, objects, objectKey);
  },
});

type StoredFiles = Pick<ObjectStore, 'stat'>;

const MAY_COME_FROM_THE_STORE: readonly string[] = ['media_address_refuses', 'media_address_wrong_content'];

/** The address serves what the object store holds: where the store itself cannot give the file, its failure is the cause. */
async function causeOf(problem: Failure, objects: StoredFiles, objectKey: string): Promise<Failure> {
  if (!MAY_COME_FROM_THE_STORE.includes(problem.code)) return problem;
  try {
    return (await objects.stat(objectKey)) === null ? failureOf('stored_file_missing', { fields: { key: objectKey } }) : problem;
  } catch (error) {
    return toFailure(error);
  }
}

/**
 * Fetches a media link as Instagram does: without cookies, with its user agent, and without following redirects. Returns the problem, or `null`.
 * A success is no proof: this process may reach an address that the internet does not.
 */
export async function checkMediaAddress(link: MediaLink, fetchFn: typeof fetch = fetch): Promise<Failure | null> {
  const { host, origin, pathname, search } = new URL(link.url);
  const ask = (url: string) =>
    fetchFn(url, {
      headers: { 'user-agent': USER_AGENT, accept: '*/*' },
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  try {
    const robots = await ask(`${origin}/robots.txt`);
    if (forbids(robots.ok ? await beginningOf(robots) : '', `${pathname}${search}`))
      return failureOf('media_address_robots', { fields: { host } });
    const answer = await ask(link.url);
    // the headers are enough
    await answer.body?.cancel();
    return judgeAnswer(answer, link, host);
  } catch (error) {
    return judgeError(error, host);
  }
}

/** Its first `MAX_ROBOTS_BYTES`; the rest is not read. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ROBOTS_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ROBOTS_BYTES).toString('utf8');
}

function judgeAnswer({ status, headers }: Response, { contentType, bytes }: MediaLink, host: string): Failure | null {
  if (status >= 300 && status < 400) return failureOf('media_address_redirects', { fields: { host, status } });
  if (status !== 200) return failureOf('media_address_refuses', { fields: { host, status } });
  const type = headers.get('content-type')?.split(';')[0]?.trim() ?? 'none';
  const length = headers.get('content-length');
  const wrong =
    type !== contentType
      ? `its type is ${type}, not ${contentType}`
      : length !== null && Number(length) !== bytes
        ? `it has ${length} bytes, not ${bytes}`
        : null;
  return wrong === null ? null : failureOf('media_address_wrong_content', { fields: { host, reason: wrong } });
}

const UNKNOWN_NAME = ['ENOTFOUND', 'EAI_AGAIN'];
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS|SSL/;

function judgeError(error: unknown, host: string): Failure {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? cause.code : null;
  const reason = code ?? (name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} s` : 'the connection failed');
  if (code !== null && UNKNOWN_NAME.includes(code)) return failureOf('media_address_unknown', { fields: { host } });
  return failureOf(code !== null && UNTRUSTED.test(code) ? 'media_address_untrusted' : 'media_address_unreachable', {
    fields: { host, reason },
  });
}

/** Whether the rules for Instagram's fetcher, else those for all, forbid a path. The longest matching rule counts. */
function forbids(robots: string, path: string): boolean {
  const groups = new Map<string, { allow: boolean; path: string }[]>();
  let agents: string[] = [];
  let open = false;
  for (const line of robots.split(/\r?\n/)) {
    const [field = '', ...rest] = (line.split('#')[0] ?? '').split(':');
    const [name, value] = [field.trim().toLowerCase(), rest.join(':').trim()];
    if (name === 'user-agent') {
      agents = open ? [...agents, value.toLowerCase()] : [value.toLowerCase()];
      open = true;
    } else if (name === 'allow' || name === 'disallow') {
      open = false;
      for (const agent of agents) groups.set(agent, [...(groups.get(agent) ?? []), { allow: name === 'allow', path: value }]);
    }
  }
  const rules = groups.get(FETCHER) ?? groups.get('*') ?? [];
  const matching = rules.filter((rule) => rule.path !== '' && matches(rule.path, path));
  const longest = matching.toSorted((one, other) => other.path.length - one.path.length || Number(other.allow) - Number(one.allow))[0];
  return longest !== undefined && !longest.allow;
}

/** Whether a rule of robots.txt covers a path; `*` stands for any characters, and `$` at the end for the end of the path (RFC 9309). */
function matches(rule: string, path: string): boolean {
  const toEnd = rule.endsWith('$');
  const [first = '', ...parts] = (toEnd ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  if (toEnd && parts.length === 0) return path === first;
  let at = first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (toEnd && isLast) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** The gateway that serves the media may be starting as well. */
const STARTING_MS = 30_000;

type TestSystems = Pick<Systems, 'database' | 'objects' | 'config'>;

/** Fetches the newest file from its public address and reports the problem, `null` without one. Returns whether there is nothing to test soon. */
export async function testMediaAddress(
  { database, objects, config }: TestSystems,
  links: MediaLinks,
  isStart: boolean,
  fetchFn: typeof fetch = fetch,
): Promise<boolean> {
  const report = (findings: { tested: boolean; problem: string | null }) =>
    database.read.workerReports.save(ADDRESS_REPORT, { hasAddress: links.isPublic, ...findings }, config.service);
  const file = links.isPublic ? await database.read.media.newestProcessed() : null;
  if (file === null) {
    await report({ tested: false, problem: null });
    // the first file is tested soon after it was processed
    return !links.isPublic;
  }
  const { objectKey, contentType, bytes } = file;
  const link = { url: links.forMeta(objectKey, await database.read.now()), contentType, bytes };
  let failure = await checkMediaAddress(link, fetchFn);
  if (isStart && failure?.code === 'media_address_unreachable') {
    await pause(STARTING_MS, undefined, { ref: false });
    failure = await checkMediaAddress(link, fetchFn);
  }
  const cause = failure && (await causeOf(failure, objects, objectKey));
  await report({ tested: true, problem: cause && `${cause.message} ${cause.nextAction}` });
  return cause === null;
}

/** Whether a person asked for a test since the last one, of whichever worker. */
async function isRequested({ database: { read } }: Pick<Systems, 'database'>): Promise<boolean> {
  const request = await read.settings.get<MediaAddressTest>(SETTING.mediaAddressTest);
  if (request === null) return false;
  const last = await read.workerReports.find(ADDRESS_REPORT);
  return last === null || last.reportedAt.getTime() < Date.parse(request.requestedAt);
}

const DAY_MS = 86_400_000;
const PROBLEM_MS = 600_000;
const ROUND_MS = 2_000;

interface AddressWatch {
  /** `isStart`: whether it is the first test of this process. */
  test: (isStart: boolean) => Promise<boolean>;
  isRequested: () => Promise<boolean>;
  logger: Logger;
  signal: AbortSignal;
}

/** Tests the public address at the start, once a day, every ten minutes without a good result, and when a person asks for it. */
export function watchMediaAddress({ test, isRequested: isAsked, logger, signal }: AddressWatch): void {
  let isWell = false;
  // monotonic: a clock that is set back must not delay the test
  let testedAt = -Infinity;
  const round = async (): Promise<void> => {
    if (performance.now() - testedAt < (isWell ? DAY_MS : PROBLEM_MS) && !(await isAsked())) return;
    const isStart = testedAt === -Infinity;
    testedAt = performance.now();
    isWell = false;
    isWell = await test(isStart);
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: ROUND_MS,
    firstMs: 0,
    problem: 'the public address of media could not be tested',
    logger,
  });
}

/** The watch over the links of this installation. */
export const mediaAddressWatch = (systems: TestSystems, links: MediaLinks): Pick<AddressWatch, 'test' | 'isRequested'> => ({
  test: (isStart) => testMediaAddress(systems, links, isStart),
  isRequested: () => isRequested(systems),
});
