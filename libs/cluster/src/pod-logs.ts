import { failureOf, PipelineError } from '@autoposter/domain';
import { withinTime } from '@autoposter/resilience';

interface Pod {
  name: string;
  containers: readonly string[];
}

export interface PodLogQuery {
  namespace: string;
  pod: string;
  container: string;
  tailLines: number;
  /** Only lines written after this moment. */
  sinceTime: string | null;
  /** The API truncates a longer answer at its end, where the newest lines are. */
  limitBytes: number;
}

/** The part of the Kubernetes API that reads logs; each line of a log starts with its RFC 3339 time. */
export interface PodApi {
  list(namespace: string, labelSelector: string): Promise<Pod[]>;
  read(query: PodLogQuery): Promise<string>;
}

interface PodLogLine {
  /** RFC 3339 with up to nanoseconds, as written by the kubelet. */
  at: string;
  pod: string;
  text: string;
}

const MAX_PODS = 50;
const AT_ONCE = 5;
const LIMIT_BYTES = 2_000_000;

/**
 * Reads the last lines of all pods that match a label selector, merged by time. Omits a pod that disappears meanwhile; rejects if no pod can be
 * read.
 */
export class PodLogs {
  constructor(
    private readonly api: PodApi,
    private readonly namespace: string,
  ) {}

  async tail(labelSelector: string, lines: number, since: Date | null): Promise<PodLogLine[]> {
    const pods = (await this.api.list(this.namespace, labelSelector)).slice(0, MAX_PODS);
    const queries = pods.flatMap((pod) => pod.containers.map((container) => ({ pod: pod.name, container })));
    const found: PodLogLine[] = [];
    const refusals: unknown[] = [];
    for (let start = 0; start < queries.length; start += AT_ONCE) {
      const answers = await Promise.allSettled(queries.slice(start, start + AT_ONCE).map((query) => this.read(query, lines, since)));
      for (const answer of answers) {
        if (answer.status === 'fulfilled') found.push(...answer.value);
        else refusals.push(answer.reason);
      }
    }
    if (queries.length > 0 && refusals.length === queries.length) throw refusals[0];
    return found.sort((a, b) => compareTimes(a.at, b.at)).slice(-lines);
  }

  private async read(query: { pod: string; container: string }, lines: number, since: Date | null): Promise<PodLogLine[]> {
    const options = { ...query, namespace: this.namespace, sinceTime: since?.toISOString() ?? null, limitBytes: LIMIT_BYTES };
    for (let tailLines = lines; ; tailLines = Math.ceil(tailLines / 2)) {
      const text = await this.api.read({ ...options, tailLines });
      // fewer lines that include the newest one are better than more lines without it
      if (tailLines > 1 && Buffer.byteLength(text) >= LIMIT_BYTES) continue;
      return text.split('\n').flatMap((line) => parseLine(query.pod, line));
    }
  }
}

function parseLine(pod: string, line: string): PodLogLine[] {
  const match = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (.*)$/.exec(line);
  return match ? [{ at: match[1] ?? '', pod, text: match[2] ?? '' }] : [];
}

/** `Date` drops nanoseconds; equal milliseconds are compared as text, whose fraction the kubelet writes in full or trimmed. */
function compareTimes(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || (a < b ? -1 : a > b ? 1 : 0);
}

const TIMEOUT_MS = 8_000;

/**
 * The API of the cluster that this process runs in, with the token of its service account; outside of a cluster with the kubeconfig. Loads the
 * client lazily: on one machine it is never needed.
 */
export async function kubernetesApi(): Promise<PodApi> {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromDefault();
  const core = config.makeApiClient(CoreV1Api);
  return {
    list: (namespace, labelSelector) =>
      call('listing pods', async () => {
        const { items } = await core.listNamespacedPod({ namespace, labelSelector, limit: 200 });
        return items.flatMap((pod): Pod[] => {
          const name = pod.metadata?.name;
          return name ? [{ name, containers: (pod.spec?.containers ?? []).map((container) => container.name) }] : [];
        });
      }),
    read: ({ pod, namespace, container, tailLines, sinceTime, limitBytes }) =>
      call(`reading the log of ${pod}`, async () => {
        const sinceSeconds = sinceTime === null ? undefined : Math.max(1, Math.ceil((Date.now() - Date.parse(sinceTime)) / 1000));
        const parameters = { name: pod, namespace, container, tailLines, timestamps: true, limitBytes };
        return core.readNamespacedPodLog({ ...parameters, ...(sinceSeconds === undefined ? {} : { sinceSeconds }) });
      }),
  };
}

async function call<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await withinTime(request(), TIMEOUT_MS, 'the answer');
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    const isRefused = code === 401 || code === 403;
    const fields = { operation: !isRefused && typeof code === 'number' ? `${what}, HTTP ${code}` : what };
    throw new PipelineError(failureOf(isRefused ? 'kubernetes_forbidden' : 'kubernetes_failed', { fields }), { cause });
  }
}
