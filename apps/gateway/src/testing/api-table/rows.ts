import { type HttpMethod, api, apiSamples, type CallSample, type Route } from '@autoposter/contracts';
import type { GatewayFixture } from '../gateway-fixture';
import * as arranged from './arrangements';
import type { Arrange } from './arrangements';

/** What the table test needs beyond schemas and samples. */
export interface Row {
  /** Creates the subject; for calls with `:id`. */
  about?: Arrange;
  /** Creates a subject in a wrong state: 409, with a message that matches. */
  wrongState?: { about: Arrange; says: RegExp };
  /** Body and query of a valid call, if the sample of the contracts does not fit a fresh database. */
  body?: () => object;
  /** Creates what the body of a valid call names. */
  bodyAbout?: (gateway: GatewayFixture) => Promise<object>;
  query?: Record<string, string>;
  /** Status of a valid call; default 200. */
  status?: number;
  /** Other correct statuses within the limits, if the meaning of a value decides. */
  alsoAnswers?: readonly number[];
  /** A browser page: redirects whatever it receives. */
  page?: true;
  /** Ends its own session. */
  ownSession?: true;
  /** The response ends only when the client disconnects. */
  endless?: true;
}

let count = 0;
const fresh = (name: string): string => `${name}${(count += 1)}`;
const redditUrl = () => ({ url: `https://www.reddit.com/r/aww/comments/${fresh('t')}/x/` });
const instagramUrl = () => ({ url: `https://www.instagram.com/reel/${fresh('Cabcdefgh').padEnd(11, '_')}/` });
const claim = () => ({ title: fresh('A work '), claimant: 'A claimant', sha256: 'a'.repeat(64) });
/** Noon UTC of tomorrow: outside the blocked hours of the sample, whatever time the test runs at. */
function nextNoon(): Date {
  const tomorrow = new Date(Date.now() + 24 * 3_600_000);
  return new Date(tomorrow.setUTCHours(12, 0, 0, 0));
}
const { item } = arranged;

/** One row per call. A call without a row fails the test: decide what it must refuse, then add it. */
export const ROWS: Readonly<Record<`${HttpMethod} /api/${string}`, Row>> = {
  'GET /api/auth/google': { status: 302, page: true },
  'GET /api/auth/google/callback': { status: 302, page: true },
  'GET /api/auth/me': {},
  'POST /api/auth/logout': { ownSession: true },
  'GET /api/health': {},
  'GET /api/dmca/ready': {},
  'POST /api/dmca/process-all': {},
  'POST /api/dmca/process/:id': { about: item('downloaded'), wrongState: { about: item('posted'), says: /posted|published/u } },
  'GET /api/ai/ready': {},
  'GET /api/ai/completed': {},
  'POST /api/ai/process-all': {},
  'POST /api/ai/process/:id': { about: item('protected'), wrongState: { about: item('posted'), says: /posted|published/u } },
  'POST /api/runs/:id/cancel': { about: arranged.run, wrongState: { about: arranged.finishedRun, says: /finished/u } },
  'PUT /api/ai/discard/:id': { about: item('ready'), wrongState: { about: arranged.posting, says: /is posting\./u } },
  'PUT /api/ai/update-caption/:id': { about: item('ready'), wrongState: { about: item('posted'), says: /published.*is posted\./u } },
  'GET /api/content/:id': { about: item('ready') },
  'POST /api/content/:id/restore': { about: arranged.discarded, wrongState: { about: item('ready'), says: /ready/u } },
  'GET /api/instagram-accounts': {},
  'POST /api/instagram-accounts/connect': {},
  'GET /api/instagram-accounts/callback': { status: 302, page: true },
  'POST /api/instagram-accounts/:id/pause': { about: arranged.connectedAccount },
  'POST /api/instagram-accounts/:id/resume': { about: arranged.connectedAccount, alsoAnswers: [409] },
  'PATCH /api/instagram-accounts/:id/needs-permission': { about: arranged.connectedAccount },
  'DELETE /api/instagram-accounts/:id': {
    about: arranged.connectedAccount,
    wrongState: { about: arranged.environmentAccount, says: /of the environment/u },
  },
  'GET /api/instagram/capabilities': {},
  'GET /api/instagram/config': {},
  'POST /api/instagram/media-address-test': {},
  'GET /api/instagram/compatibility-test': {},
  'POST /api/instagram/process': { body: instagramUrl, alsoAnswers: [422] },
  'POST /api/instagram/retry/:id': {
    about: item('failed', { platform: 'instagram', failedStage: 'download' }),
    wrongState: { about: item('ready', { platform: 'instagram' }), says: /is ready\./u },
  },
  'GET /api/media/video/:id': { about: item('ready'), query: {}, alsoAnswers: [404] },
  'GET /api/media/compared/:id': { about: item('ready'), query: {}, alsoAnswers: [404] },
  'GET /api/media/uploaded-cover/:id': { about: arranged.withUploadedCover, query: {}, alsoAnswers: [404] },
  'GET /api/media/cover/:id': { about: arranged.withCover, query: {}, alsoAnswers: [404] },
  'GET /api/downloads': { query: {} },
  'DELETE /api/downloads/:id': { about: item('downloaded'), wrongState: { about: arranged.posting, says: /posted|published/u } },
  'POST /api/reddit/process': { body: redditUrl, alsoAnswers: [422] },
  'POST /api/reddit/retry/:id': {
    about: item('failed', { failedStage: 'download' }),
    wrongState: { about: item('ready'), says: /is ready\./u },
  },
  'DELETE /api/reddit/clear-all': {},
  'POST /api/pipeline/process-complete': { body: redditUrl, alsoAnswers: [422] },
  'GET /api/pipeline/overview': {},
  'GET /api/pipeline': {},
  'GET /api/pipeline/dead-letters': {},
  'POST /api/pipeline/dead-letters/replay-all': {},
  'POST /api/pipeline/dead-letters/:id/replay': {
    about: arranged.deadJob,
    wrongState: { about: arranged.replayedJob, says: /is requested\./u },
  },
  'GET /api/pipeline/quarantine': {},
  'GET /api/failures': {},
  'GET /api/failures/causes': {},
  'POST /api/failures/retry': { alsoAnswers: [404, 409] },
  'POST /api/failures/seen': {},
  'GET /api/subreddits': {},
  'POST /api/subreddits': { body: () => ({ name: fresh('cats_') }) },
  'GET /api/subreddits/auto-process-stages': {},
  'GET /api/subreddits/scheduler/status': {},
  'POST /api/subreddits/scheduler/start': {},
  'POST /api/subreddits/scheduler/stop': {},
  'POST /api/subreddits/:id/toggle': { about: arranged.subreddit },
  'DELETE /api/subreddits/:id': { about: arranged.subreddit },
  'POST /api/subreddits/:id/run-now': { about: arranged.subreddit, wrongState: { about: arranged.runningSubreddit, says: /in progress/u } },
  'PATCH /api/subreddits/:id/needs-permission': { about: arranged.subreddit },
  'PATCH /api/subreddits/:id/auto-process-stage': { about: arranged.subreddit },
  'GET /api/skipped-posts': { query: {} },
  'GET /api/skipped-posts/subreddits': {},
  'GET /api/skipped-posts/reasons': {},
  'GET /api/skipped-posts/statistics': { query: {} },
  'GET /api/instagram-queue': { query: {} },
  'GET /api/instagram-queue/status': {},
  'GET /api/instagram-queue/statistics': {},
  'GET /api/instagram-queue/preview': {},
  'POST /api/instagram-queue/start': {},
  'POST /api/instagram-queue/stop': {},
  'PUT /api/instagram-queue/interval': { alsoAnswers: [409] },
  'PUT /api/instagram-queue/backlog-limit': { alsoAnswers: [409] },
  'PUT /api/instagram-queue/equal-failures': { alsoAnswers: [409] },
  'PUT /api/instagram-queue/unchecked-posts': { alsoAnswers: [409] },
  'PUT /api/instagram-queue/time-blocking': { alsoAnswers: [409] },
  'PUT /api/instagram-queue/randomization': { alsoAnswers: [409] },
  'POST /api/instagram-queue/:id': {
    about: item('ready'),
    body: () => ({ customCaption: 'A caption', postImmediately: false }),
    alsoAnswers: [422],
    wrongState: { about: item('downloaded'), says: /downloaded/u },
  },
  'DELETE /api/instagram-queue/:id': {
    about: arranged.queueItem,
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'PUT /api/instagram-queue/:id/priority': {
    about: arranged.queueItem,
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'PUT /api/instagram-queue/:id/schedule': {
    about: arranged.queueItem,
    body: () => ({ scheduledFor: nextNoon().toISOString() }),
    alsoAnswers: [422],
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'PUT /api/instagram-queue/:id/options': {
    about: arranged.queueItem,
    body: () => ({ collaborators: ['a.friend'] }),
    alsoAnswers: [409, 422],
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'PUT /api/instagram-queue/:id/cover': {
    about: arranged.queueItem,
    alsoAnswers: [422],
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'DELETE /api/instagram-queue/:id/cover': {
    about: arranged.queueItem,
    wrongState: { about: arranged.postedQueueItem, says: /posted|published/u },
  },
  'POST /api/instagram-queue/:id/publish-anyway': {
    about: arranged.heldQueueItem,
    wrongState: { about: arranged.queueItem, says: /not held/u },
  },
  'POST /api/instagram-queue/:id/retry': {
    about: arranged.failedQueueItem,
    wrongState: { about: arranged.queueItem, says: /pending|scheduled/u },
  },
  'POST /api/instagram-queue/:id/settle': {
    about: arranged.unknownOutcome,
    body: () => ({ outcome: 'absent' }),
    alsoAnswers: [422],
    wrongState: { about: arranged.queueItem, says: /outcome.*is (?:pending|scheduled)\./u },
  },
  'GET /api/instagram-queue/:id/in-app': {
    about: arranged.failedQueueItem,
    wrongState: { about: arranged.queueItem, says: /pending|scheduled/u },
  },
  'POST /api/instagram-queue/:id/in-app': {
    about: arranged.failedQueueItem,
    wrongState: { about: arranged.queueItem, says: /pending|scheduled/u },
  },
  'GET /api/scheduler/status': {},
  'GET /api/scheduler/statistics': {},
  'POST /api/scheduler/start': {},
  'POST /api/scheduler/stop': {},
  'GET /api/logs/server-logs': {},
  'GET /api/logs/error-logs': {},
  'GET /api/logs/pm2-logs': {},
  'GET /api/logs/browser-logs': {},
  'GET /api/logs/all-logs': {},
  'POST /api/logs/browser-logs': {},
  'POST /api/logs/clear-logs': {},
  'GET /api/publishing': {},
  'POST /api/publishing/pause': {},
  'POST /api/publishing/resume': { body: () => ({}), alsoAnswers: [409] },
  'GET /api/rights/claims': {},
  'POST /api/rights/claims': { body: claim, alsoAnswers: [422] },
  'POST /api/rights/claims/:id/status': {
    about: arranged.claim,
    wrongState: { about: arranged.withdrawnClaim, says: /withdrawn/u },
  },
  'POST /api/rights/claims/:id/allow': {
    about: arranged.claim,
    alsoAnswers: [422],
    wrongState: { about: arranged.withdrawnClaim, says: /withdrawn/u },
  },
  'POST /api/rights/allow-entries/:id/end': { about: arranged.allowEntry },
  'PUT /api/rights/claims/:id/work': { about: arranged.claim, wrongState: { about: arranged.withdrawnClaim, says: /withdrawn/u } },
  'POST /api/rights/claims/:id/fetch': { about: arranged.fetchedClaim, wrongState: { about: arranged.withdrawnClaim, says: /withdrawn/u } },
  'POST /api/rights/claims/:id/withdraw': { about: arranged.claim, wrongState: { about: arranged.withdrawnClaim, says: /withdrawn/u } },
  'GET /api/rights/originality': {},
  'PUT /api/rights/originality': {},
  'GET /api/rights/items/:id/originality': { about: item('ready') },
  'PUT /api/rights/items/:id/originality': { about: item('ready') },
  'GET /api/rights/permissions': {},
  'POST /api/rights/permissions': { alsoAnswers: [422] },
  'POST /api/rights/permissions/:id/answer': {
    about: arranged.permission,
    alsoAnswers: [422],
    wrongState: { about: arranged.revokedPermission, says: /revoked/u },
  },
  'PUT /api/rights/permissions/:id/proof': { about: arranged.permission },
  'POST /api/rights/permissions/:id/revoke': {
    about: arranged.grantedPermission,
    wrongState: { about: arranged.permission, says: /granted/u },
  },
  'GET /api/rights/matches': {},
  'GET /api/rights/answers': {},
  'GET /api/rights/thresholds': {},
  'PUT /api/rights/thresholds': { alsoAnswers: [422] },
  'POST /api/rights/answers': { bodyAbout: arranged.matchedPost, alsoAnswers: [404] },
  'GET /api/rights/notices': {},
  'POST /api/rights/notices': {},
  'GET /api/rights/notices/:id': { about: arranged.notice },
  'POST /api/rights/notices/:id/answer': {
    about: arranged.notice,
    wrongState: { about: arranged.answeredNotice, says: /rejected already, and its claimant has an answer/u },
  },
  'POST /api/rights/notices/:id/counter-notice': {
    about: arranged.notice,
    wrongState: { about: arranged.closedNotice, says: /rejected already/u },
  },
  'POST /api/rights/notices/:id/close': { about: arranged.notice, wrongState: { about: arranged.closedNotice, says: /rejected already/u } },
  'GET /api/rights/cases': {},
  'POST /api/rights/cases/:id': { about: arranged.rightsCase, wrongState: { about: arranged.closedCase, says: /closed already/u } },
  'GET /api/rights/strikes': {},
  'GET /api/rights/items/:id/evidence': { about: item('ready') },
  'GET /api/rights/evidence-keys': {},
  'GET /api/audit-log': {},
  'GET /api/events': { query: {}, endless: true },
};

/** The variable parts of one call. */
export interface CallInput {
  body?: object;
  query?: Record<string, unknown>;
  id?: string;
  token?: string | null;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export const keyOf = (route: Route) => `${route.method} ${route.path}` as const;
export const rowOf = (route: Route): Row => ROWS[keyOf(route)] ?? {};

const SAMPLES = new Map<Route, CallSample>(
  Object.entries(api).flatMap(([resource, table]) =>
    Object.entries(table as Record<string, Route>).map(([call, route]) => {
      const samples = apiSamples[resource as keyof typeof apiSamples] as Record<string, CallSample>;
      return [route, samples[call] ?? {}] as const;
    }),
  ),
);

/** Valid body and query: from the row, else from the samples of the contracts. */
export function validInput(route: Route): { body: object | undefined; query: Record<string, unknown> } {
  const sample = SAMPLES.get(route) ?? {};
  const row = rowOf(route);
  const body = row.body?.() ?? (sample.body as object | undefined);
  return { body: route.body === undefined ? undefined : (body ?? {}), query: row.query ?? (sample.query as Record<string, unknown>) ?? {} };
}

/** The id is inserted unencoded, so that hostile ids reach the gateway as they are. */
/** A JPEG file of 1080 x 1080 pixels that nothing decodes, for calls that take a file. */
const PICTURE = Buffer.from('ffd8ffc00008080438043803ffda0002ffd9', 'hex');

export function request(gateway: GatewayFixture, route: Route, { body, query, id, token = gateway.token }: CallInput) {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const path = `${route.path.replace(':id', id ?? '')}${search === '' ? '' : `?${search}`}`;
  const pending = gateway.visitor[route.method.toLowerCase() as Method](path).redirects(0);
  if (token !== null) pending.set('Authorization', `Bearer ${token}`);
  if (route.uploadBytes !== undefined && body === undefined) return pending.type('application/octet-stream').send(PICTURE);
  return body === undefined ? pending : pending.send(body);
}
