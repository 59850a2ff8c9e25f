import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuOfTree, readStat } from './cpu-time';

describe('CPU time', () => {
  it('parses a process name with brackets and spaces', () => {
    const line = '42 (a ) b) S 7 42 42 0 -1 4194560 1 2 3 4 11 22 33 44 20 0 1 0 5 6 7';
    expect(readStat(line)).toEqual({ parent: 7, own: 330, reaped: 770 });
  });

  (process.platform === 'linux' ? it : it.skip)('counts a child process after its exit', async () => {
    const before = cpuOfTree(process.pid);
    const child = spawn(process.execPath, [
      '-e',
      'const end = Date.now() + 30000; while (process.cpuUsage().user < 300000 && Date.now() < end);',
    ]);
    await once(child, 'exit');
    expect(cpuOfTree(process.pid) - before).toBeGreaterThanOrEqual(250);
    expect(() => cpuOfTree(child.pid ?? 0)).toThrow('has exited');
  });
});
