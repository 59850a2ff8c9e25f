import os from 'node:os';

/** What the numbers were measured on. */
export const aboutMachine = (): Record<string, unknown> => ({
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
  cores: os.cpus().length,
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  load: os.loadavg().map((one) => Number(one.toFixed(1))),
});
