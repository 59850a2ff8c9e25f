import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { canReach, serverOwner } from './binaries';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'owner-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

describe('serverOwner', () => {
  const passwd = (text: string) => {
    fs.writeFileSync(path.join(folder, 'passwd'), text);
    return path.join(folder, 'passwd');
  };

  it('is the current account unless that is root', () => expect(serverOwner(passwd(''), false)).toBeNull());

  it('is an existing unprivileged account for root', () => {
    const others = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n';
    expect(serverOwner(passwd(others), true)).toEqual({ uid: 65534, gid: 65533 });
    expect(serverOwner(passwd(`${others}postgres:x:70:71::/:/bin/sh\n`), true)).toEqual({ uid: 70, gid: 71 });
    expect(() => serverOwner(passwd('root:x:0:0::/root:/bin/sh\n'), true)).toThrow('postgres, nobody, daemon');
  });
});

describe('canReach', () => {
  const stranger = { uid: 61234, gid: 61234 };

  it('needs the right to enter every folder of the path', () => {
    fs.chmodSync(folder, 0o755);
    const inner = path.join(folder, 'a/b');
    fs.mkdirSync(inner, { recursive: true });
    expect(canReach(inner, stranger)).toBe(true);
    fs.chmodSync(path.join(folder, 'a'), 0o700);
    expect(canReach(inner, stranger)).toBe(false);
    expect(canReach(inner, { uid: process.getuid?.() ?? 0, gid: 0 })).toBe(true);
  });

  it('needs the right to enter the target of a symbolic link and the folders of the link', () => {
    fs.chmodSync(folder, 0o755);
    fs.mkdirSync(path.join(folder, 'closed/packages/native'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'open'));
    fs.symlinkSync(path.join(folder, 'closed/packages'), path.join(folder, 'open/packages'));
    expect(canReach(path.join(folder, 'open/packages/native'), stranger)).toBe(true);
    fs.chmodSync(path.join(folder, 'closed'), 0o700);
    expect(canReach(path.join(folder, 'open/packages/native'), stranger)).toBe(false);
    expect(canReach(path.join(folder, 'open/packages/later/on'), stranger)).toBe(false);
    fs.chmodSync(path.join(folder, 'closed'), 0o755);
    fs.chmodSync(path.join(folder, 'open'), 0o700);
    expect(canReach(path.join(folder, 'open/packages/native'), stranger)).toBe(false);
  });

  it('accepts folders that do not exist yet', () => {
    fs.chmodSync(folder, 0o755);
    expect(canReach(path.join(folder, 'later/on'), stranger)).toBe(true);
  });
});
