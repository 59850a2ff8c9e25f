import { z } from 'zod';
import type { InstagramSimulation } from '../instagram/instagram.system';
import { permalinkOf } from '../reddit/post-json';
import { communitySchema, postSeedSchema, type SimPost } from '../reddit/reddit-content';
import type { RedditSimulation } from '../reddit/reddit.system';
import type { SimulatedClock } from '../server/clock';
import { type SimResponse, empty, json, jsonOf, ResponseError, type Route, type SimRequest } from '../server/http';
import type { CallJournal } from '../server/sim-server';
import { type FaultInjector, type FaultInput, faultSchema } from './faults';
import { PRESETS } from './presets/presets';

interface ControlParts {
  faults: FaultInjector;
  journal: CallJournal;
  clock: SimulatedClock;
  reddit: RedditSimulation;
  instagram: InstagramSimulation;
  /** Mutable settings by the short name of the system. */
  settings: Readonly<Record<string, object>>;
  /** Resets settings, rate limits and tokens to their initial values. */
  resetSystems(): void;
}

const newPosts = z.strictObject({ subreddit: z.string(), posts: z.array(postSeedSchema).min(1).max(2_000) });
const changes = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Control API for tests and the demo: faults, ledger, time, quotas, posts. Not part of any simulated API. */
export function controlRoutes(parts: ControlParts): Route[] {
  const { faults, journal, clock, reddit, instagram } = parts;
  const get = (path: string, response: (request: SimRequest) => unknown): Route => ({
    method: 'GET',
    path,
    handle: (request) => json(200, response(request)),
  });
  const post = (path: string, response: (request: SimRequest) => unknown): Route => ({
    method: 'POST',
    path,
    handle: (request) => json(200, response(request)),
  });
  const remove = (path: string, act: (request: SimRequest) => void): Route => ({
    method: 'DELETE',
    path,
    handle: (request) => (act(request), empty(204)),
  });
  return [
    get('/control/health', () => ({ ok: true, now: clock.iso() })),
    get('/control/presets', () => Object.entries(PRESETS).map(([name, preset]) => ({ name, ...preset }))),
    post('/control/presets/:name', (request) => faults.add(presetFault(request), request.params.name)),
    get('/control/faults', () => faults.list()),
    post('/control/faults', (request) => faults.add(parse(faultSchema, request))),
    remove('/control/faults', () => faults.reset()),
    remove('/control/faults/:id', ({ params }) => void faults.remove(Number(params.id))),
    get('/control/ledger', () => instagram.ledger()),
    remove('/control/ledger', () => instagram.clear()),
    get('/control/calls', ({ query }) => journal.list(query.get('system'))),
    remove('/control/calls', () => journal.reset()),
    get('/control/clock', () => ({ now: clock.iso() })),
    post('/control/clock', (request) => {
      clock.advance(parse(z.strictObject({ advanceSeconds: z.number().min(0) }), request).advanceSeconds * 1000);
      return { now: clock.iso() };
    }),
    remove('/control/clock', () => clock.reset()),
    get('/control/settings', () => parts.settings),
    post('/control/settings', (request) => changeSettings(parts, request)),
    post('/control/tokens', (request) => setTokens(parts, request)),
    get('/control/posts', () => reddit.store.all().map((entry) => postFacts(reddit, entry))),
    post('/control/posts', (request) => addPosts(parts, request)),
    post('/control/posts/:id/remove', (request) => removePost(parts, request)),
    post('/control/subreddits', (request) => reddit.store.addCommunity(parse(communitySchema, request))),
    get('/control/subreddits', () => reddit.store.allCommunities()),
    post('/control/reset', () => {
      faults.reset();
      journal.reset();
      clock.reset();
      instagram.clear();
      parts.resetSystems();
      return { ok: true };
    }),
  ];
}

function parse<T>(schema: z.ZodType<T>, request: SimRequest): T {
  const result = schema.safeParse(request.body.length === 0 ? {} : jsonOf(request));
  if (result.success) return result.data;
  throw new ResponseError(json(400, { error: z.prettifyError(result.error) }));
}

function errorResponse(status: number, error: string): SimResponse {
  return json(status, { error });
}

/** The preset, overridden by the fields of the request body. */
function presetFault(request: SimRequest): FaultInput {
  const preset = PRESETS[request.params.name ?? ''];
  if (!preset) throw new ResponseError(errorResponse(404, `no preset called ${request.params.name}`));
  const changed = parse(faultSchema.partial(), request);
  const given = request.body.length === 0 ? {} : changed;
  return { ...preset.fault, ...withoutDefaults(given, request), match: { ...preset.fault.match, ...given.match } };
}

/** The schema defaults `when`; a body without it must not override the preset's value. */
function withoutDefaults(given: Partial<FaultInput>, request: SimRequest): Partial<FaultInput> {
  const named = Object.keys((request.body.length === 0 ? {} : jsonOf(request)) as object);
  return Object.fromEntries(Object.entries(given).filter(([key]) => named.includes(key)));
}

function changeSettings({ settings }: ControlParts, request: SimRequest): unknown {
  for (const [name, values] of Object.entries(parse(changes, request))) {
    const target = settings[name];
    if (!target) throw new ResponseError(errorResponse(400, `no settings called ${name}`));
    const unknown = mergeSettings(target, values);
    if (unknown.length > 0)
      throw new ResponseError(errorResponse(400, `settings of ${name} not known or of another kind: ${unknown.join(', ')}`));
  }
  return settings;
}

function setTokens({ reddit, instagram }: ControlParts, request: SimRequest): unknown {
  const { system, inForce } = parse(
    z.strictObject({ system: z.enum(['reddit', 'instagram']), inForce: z.boolean().default(false) }),
    request,
  );
  if (system === 'instagram') instagram.setTokens(inForce);
  else reddit.tokens.revokeAll();
  return { ok: true };
}

function postFacts({ store }: RedditSimulation, post: SimPost): unknown {
  const { id, title, score, removedBy, content } = post;
  const shareLink = `https://www.reddit.com/r/${post.community.name}/s/${store.shareCode(post)}`;
  return {
    id,
    key: post.key ?? null,
    subreddit: post.community.name,
    title,
    kind: content.type,
    score,
    removedBy,
    permalink: `https://www.reddit.com${permalinkOf(post)}`,
    shareLink,
  };
}

function addPosts({ reddit }: ControlParts, request: SimRequest): unknown {
  const { subreddit, posts } = parse(newPosts, request);
  return { posts: posts.map((seed) => postFacts(reddit, reddit.store.addPost(subreddit, seed))) };
}

function removePost({ reddit }: ControlParts, request: SimRequest): unknown {
  const { by } = parse(z.strictObject({ by: z.string().default('moderator') }), request);
  if (!reddit.store.removePost(request.params.id ?? '', by)) throw new ResponseError(errorResponse(404, 'no such post'));
  return { ok: true };
}

/** Assigns values to existing settings of the same type; returns the names that are unknown or have the wrong type. */
function mergeSettings(settings: object, changes: Record<string, unknown>): string[] {
  const known = settings as Record<string, unknown>;
  const rejected: string[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (name in known && fits(known[name], value)) known[name] = value;
    else rejected.push(name);
  }
  return rejected;
}

function fits(present: unknown, value: unknown): boolean {
  if (Array.isArray(present)) return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  // Nullable settings are strings.
  if (present === null || value === null) return value === null || typeof value === 'string';
  return typeof present === typeof value;
}
