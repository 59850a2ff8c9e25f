import { aboutMachine, type BenchArguments, type BenchResult } from '../bench';
import { startPostgres } from '../machine/servers';
import { tableOf } from '../spread';
import { duePosts } from './due-part';
import { planner } from './planner-part';

const POSTS = 10_000;
const ACCOUNTS = 20;
const ROUNDS = 7;
const PARTS = ['planner', 'due'] as const;

/**
 * CPU milliseconds of a tick of the planner while posts wait and none is due (`--part planner`), and how late posts of 20 accounts are dispatched by four
 * schedulers, each exactly once (`--part due`).
 */
export async function publish({ n, rounds, part }: BenchArguments): Promise<BenchResult> {
  const chosen = part === null ? PARTS : PARTS.filter((name) => name === part);
  if (chosen.length === 0) throw new Error(`Unknown part ${part}; available: ${PARTS.join(', ')}`);
  const postgres = await startPostgres();
  try {
    const sizes = { accounts: ACCOUNTS, rounds };
    const cost = chosen.includes('planner') ? await planner(postgres, { ...sizes, rounds: rounds ?? ROUNDS, waiting: n ?? POSTS }) : null;
    const due = chosen.includes('due') ? await duePosts(postgres, { ...sizes, posts: n ?? POSTS }) : null;
    return {
      table: [cost, due].flatMap((one) => (one === null ? [] : [...tableOf(one.rows), ''])),
      failures: due?.failures ?? [],
      facts: { ...(cost && { planner: cost.facts }), ...(due && { due: due.facts }), postgres: postgres.version, machine: aboutMachine() },
    };
  } finally {
    await postgres.stop();
  }
}
