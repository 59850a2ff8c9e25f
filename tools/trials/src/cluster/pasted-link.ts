import { api } from '@autoposter/contracts';
import type { SimulatedPost, SimulatedWorld } from '../product/simulated-world';
import { until } from '../product/until';
import type { SignedInAdmin } from '../product/signed-in-admin';

interface Download {
  _id: string;
  status: string;
  processingErrors: { stage: string; message: string }[];
}
interface QueueRow {
  status: string;
  sourceData: { postTitle: string };
}

const ARRIVES_WITHIN_MS = 10 * 60_000;

/** Pastes the link of this post and lets it go the whole way by itself; resolves when Instagram has it, with the item's id. */
export async function postPastedLink(admin: SignedInAdmin, world: SimulatedWorld, post: SimulatedPost): Promise<string> {
  const before = (await world.ledger()).published.length;
  const { setRandomization, start } = api.instagramQueue;
  await admin.ask(setRandomization.method, setRandomization.path, { enabled: false, maxDelayMinutes: 0 });
  await admin.ask(start.method, start.path);
  const { processComplete } = api.pipeline;
  const { data } = await admin.ask<{ data: { id: string } }>(processComplete.method, processComplete.path, { url: post.permalink });
  await until(`"${post.title}" on Instagram`, () => isPublished(admin, world, data.id, before), ARRIVES_WITHIN_MS, 1_000);
  await until('the queue to say so', () => isPosted(admin, post), 60_000, 1_000);
  return data.id;
}

async function isPublished(admin: SignedInAdmin, world: SimulatedWorld, id: string, before: number): Promise<boolean> {
  const { published } = await world.ledger();
  if (published.length > before) return true;
  const { data } = await admin.ask<{ data: Download[] }>('GET', api.downloads.list.path);
  const item = data.find((one) => one._id === id);
  const error = item?.processingErrors.at(-1);
  throw new Error(item === undefined ? 'not among the downloads' : `${item.status}${error ? ` (${error.stage}: ${error.message})` : ''}`);
}

async function isPosted(admin: SignedInAdmin, post: SimulatedPost): Promise<boolean> {
  const { data } = await admin.ask<{ data: { posts: QueueRow[] } }>('GET', api.instagramQueue.list.path);
  return data.posts.some((row) => row.sourceData.postTitle === post.title && row.status === 'posted');
}
