import { PodLogs, type PodApi, type PodLogQuery } from './pod-logs';

const answers: Record<string, string> = {
  'gateway-1': '2026-05-05T10:00:00.100000001Z first\n2026-05-05T10:00:02Z third\nno time in front\n',
  'gateway-2': '2026-05-05T10:00:00.100000002Z second\n2026-05-05T10:00:03.5Z fourth\n',
};

function apiOf(broken: readonly string[] = []): PodApi & { asked: PodLogQuery[] } {
  const asked: PodLogQuery[] = [];
  return {
    asked,
    list: async (namespace, selector) => {
      expect([namespace, selector]).toEqual(['shop', 'app=gateway']);
      return Object.keys(answers).map((name) => ({ name, containers: ['app'] }));
    },
    read: async (query) => {
      asked.push(query);
      if (broken.includes(query.pod)) throw new Error('gone');
      return answers[query.pod] ?? '';
    },
  };
}

describe('PodLogs', () => {
  it('merges lines by time, also within one millisecond', async () => {
    const lines = await new PodLogs(apiOf(), 'shop').tail('app=gateway', 100, null);
    expect(lines.map((line) => line.text)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(lines[1]?.pod).toBe('gateway-2');
  });

  it('returns the newest lines and reads from the given time on', async () => {
    const api = apiOf();
    const lines = await new PodLogs(api, 'shop').tail('app=gateway', 1, new Date('2026-05-05T09:00:00Z'));
    expect(lines.map((line) => line.text)).toEqual(['fourth']);
    expect(api.asked[0]).toMatchObject({ tailLines: 1, sinceTime: '2026-05-05T09:00:00.000Z' });
  });

  it('leaves out a deleted pod, but rejects if no pod can be read', async () => {
    const lines = await new PodLogs(apiOf(['gateway-2']), 'shop').tail('app=gateway', 100, null);
    expect(lines).toHaveLength(2);
    await expect(new PodLogs(apiOf(['gateway-1', 'gateway-2']), 'shop').tail('app=gateway', 100, null)).rejects.toThrow('gone');
  });

  it('returns the newest lines although the API truncates a long answer at its end', async () => {
    const written = Array.from({ length: 5000 }, (_, n) => `2026-05-05T10:00:00.${String(n).padStart(9, '0')}Z ${n} ${'x'.repeat(1000)}`);
    const asked: number[] = [];
    const read = async ({ tailLines, limitBytes }: PodLogQuery): Promise<string> => {
      asked.push(tailLines);
      return written.slice(-tailLines).join('\n').slice(0, limitBytes);
    };
    const api: PodApi = { list: async () => [{ name: 'gateway-1', containers: ['app'] }], read };
    const lines = await new PodLogs(api, 'shop').tail('app=gateway', 5000, null);
    expect(asked).toEqual([5000, 2500, 1250]);
    expect([lines.length, lines.at(-1)?.text.split(' ')[0]]).toEqual([1250, '4999']);
  });

  it('ends if a single line is too long', async () => {
    const read = async ({ limitBytes }: PodLogQuery) => `2026-05-05T10:00:00Z ${'x'.repeat(3_000_000)}`.slice(0, limitBytes);
    const api: PodApi = { list: async () => [{ name: 'gateway-1', containers: ['app'] }], read };
    expect(await new PodLogs(api, 'shop').tail('app=gateway', 2, null)).toHaveLength(1);
  });
});
