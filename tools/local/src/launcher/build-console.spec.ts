import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashOf } from './build-console';

it('hashes the names and contents of the sources, and nothing else', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'console-'));
  const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);
  write('a.ts', '1');
  const first = hashOf([folder]);
  expect(hashOf([folder])).toBe(first);
  write('a.ts', '2');
  const changed = hashOf([folder]);
  fs.renameSync(path.join(folder, 'a.ts'), path.join(folder, 'b.ts'));
  expect(new Set([first, changed, hashOf([folder])]).size).toBe(3);
  fs.rmSync(folder, { recursive: true });
});
