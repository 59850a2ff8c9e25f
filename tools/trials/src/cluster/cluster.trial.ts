import { randomBytes } from 'node:crypto';
import { api } from '@autoposter/contracts';
import { pollUntil, SimulatorControl, type SimulatedPost } from '@autoposter/testkit';
import { AdminJourney } from '../journey/admin-journey';
import { SignedInAdmin } from '../product/signed-in-admin';
import { progress, type TrialArguments, type TrialResult } from '../trial';
import { Namespace, type Pod, run } from './kubernetes';

const RELEASE = 'trial';
const CHART = 'charts/autoposter';
const WORKERS = ['downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'];
const MINUTE_MS = 60_000;

/** Kinds of resources that a release may create. The namespace's own service account and certificate are not part of it. */
const KINDS = [
  'deployments,replicasets,statefulsets,jobs,pods,services,endpointslices,configmaps,secrets,serviceaccounts,roles,rolebindings',
  'networkpolicies,poddisruptionbudgets,persistentvolumeclaims,horizontalpodautoscalers,scaledobjects.keda.sh',
].join(',');
const NOT_OURS = /^(kube-root-ca\.crt|default)$/;

interface Named {
  kind: string;
  metadata: { name: string };
}

/**
 * Installs the chart with the quickstart values and local images on the cluster of KUBECONFIG, in a namespace that enforces the restricted
 * pod security standard; posts a pasted link with workers scaled from zero by lag; checks that uninstalling leaves no resource.
 */
export async function cluster({ full }: TrialArguments): Promise<TrialResult> {
  await checkCluster();
  const space = new Namespace(`autoposter-trial-${randomBytes(3).toString('hex')}`);
  const failures: string[] = [];
  const facts: Record<string, unknown> = {};
  let n = 0;
  const part = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    n += 1;
    const startedAt = performance.now();
    try {
      await work();
      progress(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      facts[`${name} (s)`] = Math.round((performance.now() - startedAt) / 100) / 10;
      return true;
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      await space.printDiagnostics();
      return false;
    }
  };
  await run('kubectl', 'create', 'namespace', space.name);
  try {
    await run('kubectl', 'label', 'namespace', space.name, 'pod-security.kubernetes.io/enforce=restricted');
    const installed = await part('install', () => install(space));
    if (installed) {
      await part('workers at zero', () => allAtZero(space));
      await part('journey', () => runJourney(space, facts));
      await part('logs of pods', () => logsOfPods(space));
      await part('no restarts', () => noRestarts(space));
      if (full) {
        await part('upgrade', () => install(space));
        await part('back to zero', () => allAtZero(space));
      }
    }
    await part('uninstall leaves nothing', () => uninstall(space));
  } finally {
    await run('kubectl', 'delete', 'namespace', space.name, '--wait=false');
  }
  return { n, failures, facts };
}

async function checkCluster(): Promise<void> {
  await run('helm', 'version', '--short');
  await run('kubectl', 'version', '-o', 'json');
  const keda = await run('kubectl', 'api-resources', '--api-group=keda.sh', '-o', 'name');
  if (!keda.includes('scaledobjects')) throw new Error('KEDA is not installed in this cluster');
}

function install(space: Namespace): Promise<string> {
  const images = ['node', 'media'].flatMap((kind) => ['--set', `image.${kind}.tag=local`]);
  const values = ['--values', `${CHART}/values.quickstart.yaml`, ...images];
  return space.helm('upgrade', '--install', RELEASE, CHART, ...values, '--wait', '--timeout', '8m');
}

async function allAtZero(space: Namespace): Promise<void> {
  await pollUntil(
    async () => {
      const busy = await Promise.all(WORKERS.map(async (worker) => ((await space.pods(worker)).length > 0 ? worker : '')));
      const left = busy.filter((worker) => worker !== '');
      if (left.length > 0) throw new Error(`${left.join(', ')} still running`);
      return true;
    },
    8 * MINUTE_MS,
    'all workers at zero',
    2_000,
  );
}

async function runJourney(space: Namespace, facts: Record<string, unknown>): Promise<void> {
  const { admin, control } = await connect(space);
  const post = await control.post('portrait');
  const started = new Map<string, number>();
  const begunAt = performance.now();
  const timer = setInterval(() => void recordStarted(space, started, begunAt), 1_000);
  try {
    const journey = new AdminJourney(admin, control, '', PUBLISHED_WITHIN_MS);
    await journey.prepareQueue();
    await journey.publishAutomatically(post);
    await pollUntil(() => isPosted(admin, post), MINUTE_MS, 'the posted queue item', 1_000);
  } finally {
    clearInterval(timer);
  }
  facts['started from zero after (s)'] = Object.fromEntries(started);
  const never = WORKERS.filter((worker) => !started.has(worker));
  if (never.length > 0) throw new Error(`never started: ${never.join(', ')}`);
  const { publishCalls, published } = await control.ledger();
  if (published.length !== 1 || publishCalls !== 1) throw new Error(`published ${published.length} with ${publishCalls} calls`);
}

async function recordStarted(space: Namespace, started: Map<string, number>, begunAt: number): Promise<void> {
  const pods = await space.list<Pod>('pods').catch(() => []);
  for (const { metadata, status } of pods) {
    const worker = metadata.labels['app.kubernetes.io/component'] ?? '';
    const ready = status.containerStatuses?.every((container) => container.ready) ?? false;
    if (ready && WORKERS.includes(worker) && !started.has(worker)) started.set(worker, Math.round((performance.now() - begunAt) / 1000));
  }
}

async function connect(space: Namespace): Promise<{ admin: SignedInAdmin; control: SimulatorControl }> {
  const name = `${RELEASE}-autoposter`;
  const [gateway, google, control] = await Promise.all([
    space.forward(`${name}-gateway`, 80),
    space.forward(`${name}-simulators`, 4007),
    space.forward(`${name}-simulators`, 4000),
  ]);
  return { admin: await SignedInAdmin.signIn({ gateway, google }), control: new SimulatorControl(control) };
}

/** The Logs screen reads pod logs, which requires permissions and network access. */
async function logsOfPods(space: Namespace): Promise<void> {
  const { admin } = await connect(space);
  const answer = await admin.request<{ logs: string[] }>('GET', `${api.logs.process.path}?lines=50`);
  if (answer.logs.length === 0) throw new Error('the log is empty');
}

async function noRestarts(space: Namespace): Promise<void> {
  const pods = await space.list<Pod>('pods');
  const restarted = pods.filter(({ status }) => status.containerStatuses?.some(({ restartCount }) => restartCount > 0));
  if (restarted.length > 0) throw new Error(restarted.map(({ metadata }) => metadata.name).join(', '));
}

async function uninstall(space: Namespace): Promise<void> {
  await space.helm('uninstall', RELEASE, '--wait', '--timeout', '8m');
  await pollUntil(
    async () => {
      const left = (await space.list<Named>(KINDS)).filter(({ metadata }) => !NOT_OURS.test(metadata.name));
      if (left.length > 0) throw new Error(left.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(', '));
      return true;
    },
    2 * MINUTE_MS,
    'an empty namespace',
    2_000,
  );
}

interface QueueRow {
  status: string;
  sourceData: { postTitle: string };
}

const PUBLISHED_WITHIN_MS = 10 * 60_000;

async function isPosted(admin: SignedInAdmin, post: SimulatedPost): Promise<boolean> {
  const { data } = await admin.request<{ data: { posts: QueueRow[] } }>('GET', api.instagramQueue.list.path);
  return data.posts.some((row) => row.sourceData.postTitle === post.title && row.status === 'posted');
}
