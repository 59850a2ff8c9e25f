import { z } from 'zod';
import type { InstagramSimulation } from '../instagram/instagram.system';
import { permalinkOf } from '../reddit/post-json';
import { communitySchema, postSeedSchema, type SimPost } from '../reddit/reddit-content';
import type { RedditSimulation } from '../reddit/reddit.system';
import type { SimulatedClock } from '../server/clock';
import { empty, get, json, jsonOf, post, remove, ResponseError, type Route, type SimRequest } from '../server/http';
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
  const read = (path: string, response: (request: SimRequest) => unknown): Route => get(path, (request) => json(200, response(request)));
  const write = (path: string, response: (request: SimRequest) => unknown): Route => post(path, (request) => json(200, response(request)));
  const clear = (path: string, act: (request: SimRequest) => void): Route => remove(path, (request) => (act(request), empty(204)));
  return [
    read('/control/health', () => ({ ok: true, now: clock.iso() })),
    read('/control/presets', () => Object.entries(PRESETS).map(([name, preset]) => ({ name, ...preset }))),
    write('/control/presets/:name', (request) => faults.add(presetFault(request), request.params.name)),
    read('/control/faults', () => faults.list()),
    write('/control/faults', (request) => faults.add(parse(faultSchema, request))),
    clear('/control/faults', () => faults.reset()),
    clear('/control/faults/:id', ({ params }) => void faults.remove(Number(params.id))),
    read('/control/ledger', () => instagram.ledger()),
    clear('/control/ledger', () => instagram.clear()),
    read('/control/calls', ({ query }) => journal.list(query.get('system'))),
    clear('/control/calls', () => journal.reset()),
    read('/control/clock', () => ({ now: clock.iso() })),
    write('/control/clock', (request) => {
      clock.advance(parse(z.strictObject({ advanceSeconds: z.number().min(0) }), request).advanceSeconds * 1000);
      return { now: clock.iso() };
    }),
    clear('/control/clock', () => clock.reset()),
    read('/control/settings', () => parts.settings),
    write('/control/settings', (request) => changeSettings(parts, request)),
    write('/control/tokens', (request) => setTokens(parts, request)),
    read('/control/posts', () => reddit.store.all().map((entry) => postFacts(reddit, entry))),
    write('/control/posts', (request) => addPosts(parts, request)),
    write('/control/posts/:id/remove', (request) => removePost(parts, request)),
    write('/control/subreddits', (request) => reddit.store.addCommunity(parse(communitySchema, request))),
    read('/control/subreddits', () => reddit.store.allCommunities()),
    write('/control/reset', () => {
      faults.reset();
      journal.reset();
      clock.reset();
      instagram.clear();
      parts.resetSystems();
      return { ok: true };
    }),
  ];
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw rejected(400, z.prettifyError(result.error));
}

const bodyOf = (request: SimRequest): unknown => (request.body.length === 0 ? {} : jsonOf(request));
const parse = <T>(schema: z.ZodType<T>, request: SimRequest): T => check(schema, bodyOf(request));
const rejected = (status: number, error: string): ResponseError => new ResponseError(json(status, { error }));

const overrides = z.looseObject({ match: z.looseObject({}).default({}) });

/** The preset, overridden by the fields of the request body. */
function presetFault(request: SimRequest): FaultInput {
  const preset = PRESETS[request.params.name ?? ''];
  if (!preset) throw rejected(404, `no preset called ${request.params.name}`);
  const given = parse(overrides, request);
  return check(faultSchema, { ...preset.fault, ...given, match: { ...preset.fault.match, ...given.match } });
}

function changeSettings({ settings }: ControlParts, request: SimRequest): unknown {
  for (const [name, values] of Object.entries(parse(changes, request))) {
    const target = settings[name];
    if (!target) throw rejected(400, `no settings called ${name}`);
    const unknown = mergeSettings(target, values);
    if (unknown.length > 0) throw rejected(400, `settings of ${name} not known or of another kind: ${unknown.join(', ')}`);
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

function postFacts({ store, mediaOrigin }: RedditSimulation, post: SimPost): unknown {
  const { id, key = null, title, score, removedBy, content, community } = post;
  const site = 'https://www.reddit.com';
  const links = { permalink: site + permalinkOf(post), shareLink: `${site}/r/${community.name}/s/${store.shareCode(post)}` };
  // a test uploads the picture of a post as the work of a claimant
  const pictures = content.type === 'image' ? post.mediaIds.map((name) => `${mediaOrigin()}/i.redd.it/${name}`) : [];
  return { id, key, subreddit: community.name, title, kind: content.type, score, removedBy, ...links, pictures };
}

function addPosts({ reddit }: ControlParts, request: SimRequest): unknown {
  const { subreddit, posts } = parse(newPosts, request);
  return { posts: posts.map((seed) => postFacts(reddit, reddit.store.addPost(subreddit, seed))) };
}

function removePost({ reddit }: ControlParts, request: SimRequest): unknown {
  const { by } = parse(z.strictObject({ by: z.string().default('moderator') }), request);
  if (!reddit.store.removePost(request.params.id ?? '', by)) throw rejected(404, 'no such post');
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
