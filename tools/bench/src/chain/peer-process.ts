import type { PeerOrder, PeerStart, PeerWord } from './peer-talk';
import { noRuns, type ChainStage } from './peers/chain-peer';
import { PEERS } from './peers/peers';

/** Items that are being taken in at a time. */
const ENTERING = 8;
const ALL_THROUGH_WITHIN_MS = 600_000;

const tell = (word: PeerWord): void => void process.send?.(word);

async function serve({ peer: name, databaseUrl, redisPort }: PeerStart): Promise<void> {
  const open = PEERS[name];
  if (open === undefined) throw new Error(`there is no peer ${name}`);
  const through = new Set<string>();
  let wake: () => void = () => undefined;
  const peer = await open({ databaseUrl, redisPort }, (item) => {
    through.add(item);
    wake();
  });
  let taken = 0;
  const send = async (items: number): Promise<PeerWord> => {
    const before = { ...peer.runs() };
    through.clear();
    const started = performance.now();
    const names = Array.from({ length: items }, () => `item${(taken += 1)}`);
    const enter = async (): Promise<void> => {
      for (let item = names.pop(); item !== undefined; item = names.pop()) await peer.enter(item);
    };
    await Promise.all(Array.from({ length: ENTERING }, enter));
    const limit = setTimeout(() => wake(), ALL_THROUGH_WITHIN_MS);
    while (through.size < items && performance.now() - started < ALL_THROUGH_WITHIN_MS)
      await new Promise<void>((resolve) => (wake = resolve));
    clearTimeout(limit);
    const seconds = (performance.now() - started) / 1000;
    // what was handed on last has to be settled as well
    for (const until = performance.now() + 30_000; !(await peer.isIdle());) {
      if (performance.now() > until) throw new Error(`${name} does not come to rest`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const runs = noRuns();
    for (const stage of Object.keys(runs) as ChainStage[]) runs[stage] = peer.runs()[stage] - before[stage];
    return { seconds, runs, distinct: through.size };
  };
  process.on('message', (order: PeerOrder) => {
    const done = order === 'end' ? peer.close().then(() => process.exit(0)) : send(order.items).then(tell);
    done.catch((error: unknown) => tell({ trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) }));
  });
  process.once('disconnect', () => process.exit(1));
  tell('ready');
}

serve(JSON.parse(process.argv[2] ?? '') as PeerStart).catch((error: unknown) => {
  tell({ trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) });
});
