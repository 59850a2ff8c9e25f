import { PodLogs } from '@autoposter/cluster';
import { presentLine } from './log-line';
import { PodLogSource } from './log-source';

const output: Record<string, string> = {
  'gateway-1': '2026-05-05T10:00:01Z {"level":"info","msg":"early"}\n2026-05-05T10:00:03Z {"level":"error","msg":"late"}\n',
  'ai-worker-1': '2026-05-05T10:00:02Z plain words\n',
};

function source(mark: { at: Date | null }) {
  const selectors: string[] = [];
  const logs = new PodLogs(
    {
      list: async (_namespace, selector) => {
        selectors.push(selector);
        const names = Object.keys(output).filter((name) => selector === 'all' || name.startsWith('gateway'));
        return names.map((name) => ({ name, containers: ['app'] }));
      },
      read: async ({ pod }) => output[pod] ?? '',
    },
    'shop',
  );
  const clearMark = { read: async () => mark.at, move: async (to: Date) => void (mark.at = to) };
  return { selectors, source: new PodLogSource(async () => logs, { all: 'all', server: 'all,gateway' }, clearMark) };
}

describe('logs of pods', () => {
  it('tell one component or all, under the name of the pod', async () => {
    const { source: logs, selectors } = source({ at: null });
    expect((await logs.tail('all', 10)).map(presentLine)).toEqual([
      '2026-05-05T10:00:01.000Z INFO [gateway-1] early',
      '2026-05-05T10:00:02.000Z INFO [ai-worker-1] plain words',
      '2026-05-05T10:00:03.000Z ERROR [gateway-1] late',
    ]);
    expect(await logs.tail('server', 10)).toHaveLength(2);
    expect(selectors).toEqual(['all', 'all,gateway']);
  });

  it('begin at the mark once they were cleared', async () => {
    const { source: logs } = source({ at: null });
    await logs.clear(new Date('2026-05-05T10:00:02Z'));
    expect((await logs.tail('all', 10)).map((line) => line.process)).toEqual(['gateway-1']);
  });
});
