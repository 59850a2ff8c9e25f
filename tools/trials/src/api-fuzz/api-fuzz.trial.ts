import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { allRoutes } from '@autoposter/contracts';
import { startLoneGateway } from '../product/lone-gateway';
import { ROOT, progress, type TrialArguments, type TrialResult } from '../trial';

const SHORT = 1_000;
const LONG = 10_000;
const MAX_ROUNDS = 12;
const SHOWN = 20;

/** Sends valid and invalid requests generated from the OpenAPI document; no response may have a status of 500 or above. */
export async function apiFuzz({ n, seed, full }: TrialArguments): Promise<TrialResult> {
  const missing = installFuzzer();
  if (missing !== null) {
    progress(`skipped: ${missing}`);
    return { n: 0, failures: [], facts: { skipped: missing } };
  }
  const wanted = n ?? (full ? LONG : SHORT);
  const gateway = await startLoneGateway('api-fuzz');
  const proxy = new CountingProxy(gateway.address);
  try {
    const address = await proxy.start();
    const { token } = await gateway.signIn();
    const findings = new Set<string>();
    for (let round = 0; proxy.count < wanted && round < MAX_ROUNDS; round += 1) {
      const perCall = Math.max(1, Math.ceil((wanted - proxy.count) / allRoutes.length));
      const output = await fuzz({ address, token, seed: seed + round, perCall });
      for (const finding of findingsOf(output)) findings.add(finding);
      progress(`round ${round + 1}: ${proxy.count} requests, ${proxy.broken.length} with status 500 or above`);
      if (proxy.count === 0) throw new Error(`the fuzzer sent no request:\n${output.slice(-3000)}`);
    }
    const failures = [...shown(proxy.broken), ...findings];
    if (proxy.count < wanted) failures.push(`only ${proxy.count} of ${wanted} requests were sent`);
    if (!gateway.program.isAlive) failures.push(`the gateway exited: ${gateway.program.output.slice(-1000)}`);
    const byStatus = Object.fromEntries([...proxy.byStatus].sort(([a], [b]) => a - b));
    return { n: proxy.count, failures, facts: { calls: allRoutes.length, answersFrom500: proxy.broken.length, byStatus } };
  } finally {
    await proxy.stop();
    await gateway.stop();
  }
}

function shown(broken: readonly BrokenResponse[]): string[] {
  const sentences = broken.map(({ method, url, status, body, sent }) => `${method} ${url.slice(0, 300)} ${sent}: ${status} ${body}`);
  return sentences.length <= SHOWN ? sentences : [...sentences.slice(0, SHOWN), `and ${sentences.length - SHOWN} more`];
}

/** Failed checks of response type and schema, by operation. */
function findingsOf(text: string): string[] {
  const sections = text.split(/^_{5,} (.+) _{5,}$/mu);
  const findings: string[] = [];
  for (let index = 1; index < sections.length; index += 2) {
    const call = sections[index] ?? '';
    const checks = [...(sections[index + 1] ?? '').matchAll(/^- (.+)$/gmu)].map(([, check]) => check ?? '');
    findings.push(...[...new Set(checks)].filter((check) => !/Server error/iu.test(check)).map((check) => `${call}: ${check}`));
  }
  return findings;
}

const VERSION = '4.32.5';
const HOME = path.join(ROOT, '.autoposter', 'tools', `schemathesis-${VERSION}`);
const PROGRAM = path.join(HOME, 'bin', 'schemathesis');
/** Excluded operations: one ends the session, the other never ends. */
const EXCLUDED = ['/api/auth/logout', '/api/events'];
const CHECKS = ['not_a_server_error', 'content_type_conformance', 'response_schema_conformance'];

/** Installs the fuzzer on first use; returns the reason when that is impossible, otherwise `null`. */
function installFuzzer(): string | null {
  if (fs.existsSync(PROGRAM)) return null;
  progress(`installing schemathesis ${VERSION} from PyPI into ${path.relative(ROOT, HOME)}`);
  const { environment } = readProcessSettings();
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', HOME]],
    [path.join(HOME, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]],
  ];
  for (const [program, args] of steps) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env: environment, timeout: 300_000 });
    if (status === 0) continue;
    fs.rmSync(HOME, { recursive: true, force: true });
    const last = (error?.message ?? stderr).trim().split('\n').pop() ?? '';
    return `schemathesis could not be installed: ${path.basename(program)} ${args.slice(0, 3).join(' ')}: ${last}`;
  }
  return null;
}

interface FuzzRound {
  /** Origin of the API. */
  address: string;
  token: string;
  seed: number;
  /** Approximate number of requests per operation. */
  perCall: number;
}

/** Runs the fuzzer over all operations once and returns its report. */
function fuzz({ address, token, seed, perCall }: FuzzRound): Promise<string> {
  const args = [
    ...['run', `${address}/api/docs-json`, '--url', address, '--header', `Authorization: Bearer ${token}`],
    ...['--seed', String(seed), '--max-examples', String(perCall), '--phases', 'coverage,fuzzing', '--checks', CHECKS.join(',')],
    ...EXCLUDED.flatMap((one) => ['--exclude-path', one]),
    // The proxy records each failing response, so shrinking the example is not worth the time.
    ...'--no-shrink --continue-on-failure --request-timeout 15 --suppress-health-check all --no-color --warnings off'.split(' '),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: HOME });
    let text = '';
    const append = (chunk: Buffer): void => void (text += chunk.toString());
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', reject);
    child.on('exit', () => resolve(text));
  });
}

const KEPT_BODY = 600;

/** A response with status 500 or above, or a failed connection (status 0). */
interface BrokenResponse {
  method: string;
  url: string;
  status: number;
  body: string;
  sent: string;
}

/** Forwards requests to the gateway and counts responses by status, independently of the fuzzer's own report. */
class CountingProxy {
  readonly byStatus = new Map<number, number>();
  readonly broken: BrokenResponse[] = [];
  count = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));

  constructor(private readonly target: string) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = collect(incoming);
    const forwarded = send(this.target + url, { method, headers, agent: this.agent }, (answer) => {
      const got = collect(answer);
      answer.once('end', () => this.record({ method, url, status: answer.statusCode ?? 0, body: got(), sent: sent() }));
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => {
      this.record({ method, url, status: 0, body: error.message, sent: sent() });
      outgoing.destroy();
    });
    incoming.pipe(forwarded);
  }

  private record(seen: BrokenResponse): void {
    this.count += 1;
    this.byStatus.set(seen.status, (this.byStatus.get(seen.status) ?? 0) + 1);
    if (seen.status >= 500 || seen.status === 0) this.broken.push(seen);
  }
}

/** Collects the start of a stream while it is piped. */
function collect(stream: IncomingMessage): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < KEPT_BODY) text += chunk.toString('utf8').slice(0, KEPT_BODY);
  });
  return () => text;
}
