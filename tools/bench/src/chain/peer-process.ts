import { pollUntil } from '@autoposter/testkit';
import { openAutoposter, openWorker } from './autoposter-peer';
import { noRuns, type ChainPeer, type ChainRun, type ChainStage, type OnFinished, type PeerCommand, type PeerMessage } from './chain-peer';
import type { PeerSettings, PeerStart } from './chain-peer';
import { openBullmq, openGraphile, openPgBoss } from './queue-peers';

const PEERS: Record<string, (settings: PeerSettings, onFinished: OnFinished) => Promise<ChainPeer>> = {
  autoposter: openAutoposter,
  'autoposter-worker': openWorker,
  bullmq: openBullmq,
  'pg-boss': openPgBoss,
  'graphile-worker': openGraphile,
};

/** Items added concurrently. */
const ADDING = 8;
const FINISHED_WITHIN_MS = 600_000;
const IDLE_WITHIN_MS = 30_000;
/** The polls themselves are no part of the work. */
const IDLE_POLL_MS = 200;

const post = (message: PeerMessage): void => void process.send?.(message);
const postError = (error: unknown): void => post({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });

async function serve({ peer: name, ...settings }: PeerStart): Promise<void> {
  const open = PEERS[name];
  if (open === undefined) throw new Error(`unknown peer ${name}`);
  const finished = new Set<string>();
  let wake: () => void = () => undefined;
  const peer = await open(settings, (item) => {
    finished.add(item);
    wake();
  });
  let added = 0;
  const run = async (items: number): Promise<ChainRun> => {
    const before = { ...peer.runs() };
    finished.clear();
    const started = performance.now();
    const names = Array.from({ length: items }, () => `item${process.pid}x${(added += 1)}`);
    const addAll = async (): Promise<void> => {
      for (let item = names.pop(); item !== undefined; item = names.pop()) await peer.add(item);
    };
    await Promise.all(Array.from({ length: ADDING }, addAll));
    const limit = setTimeout(() => wake(), FINISHED_WITHIN_MS);
    while (finished.size < items && performance.now() - started < FINISHED_WITHIN_MS)
      await new Promise<void>((resolve) => (wake = resolve));
    clearTimeout(limit);
    const seconds = (performance.now() - started) / 1000;
    // The acknowledgements of the last jobs are part of the measured work.
    await pollUntil(() => peer.isIdle(), IDLE_WITHIN_MS, 'idle', IDLE_POLL_MS);
    const runs = noRuns();
    for (const stage of Object.keys(runs) as ChainStage[]) runs[stage] = peer.runs()[stage] - before[stage];
    return { seconds, runs, distinct: finished.size };
  };
  process.on('message', (command: PeerCommand) => {
    const done = command === 'exit' ? peer.close().then(() => process.exit(0)) : run(command.items).then(post);
    done.catch(postError);
  });
  process.once('disconnect', () => process.exit(1));
  post('ready');
}

serve(JSON.parse(process.argv[2] ?? '') as PeerStart).catch(postError);
