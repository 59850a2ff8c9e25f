import { failureOf, PipelineError } from '@autoposter/domain';
import type { PodApi, PodSeen } from './pod-logs';

const TIMEOUT_MS = 8_000;

/**
 * The API of the cluster that this process runs in, by the token of its service account, or by the operator's kubeconfig outside. The
 * client is loaded when it is first needed: on one machine it never is.
 */
export async function kubernetesApi(): Promise<PodApi> {
  const { CoreV1Api, KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromDefault();
  const core = config.makeApiClient(CoreV1Api);
  return {
    list: (namespace, labelSelector) =>
      asked('listing pods', async () => {
        const { items } = await core.listNamespacedPod({ namespace, labelSelector, limit: 200 });
        return items.flatMap((pod): PodSeen[] => {
          const name = pod.metadata?.name;
          return name ? [{ name, containers: (pod.spec?.containers ?? []).map((container) => container.name) }] : [];
        });
      }),
    read: ({ pod, namespace, container, tailLines, sinceTime, limitBytes }) =>
      asked(`reading the log of ${pod}`, async () => {
        const sinceSeconds = sinceTime === null ? undefined : Math.max(1, Math.ceil((Date.now() - Date.parse(sinceTime)) / 1000));
        const question = { name: pod, namespace, container, tailLines, timestamps: true, limitBytes };
        return core.readNamespacedPodLog({ ...question, ...(sinceSeconds === undefined ? {} : { sinceSeconds }) });
      }),
  };
}

async function asked<T>(what: string, question: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), TIMEOUT_MS);
    timer.unref();
  });
  try {
    return await Promise.race([question(), late]);
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    const isRefused = code === 401 || code === 403;
    const fields = { operation: !isRefused && typeof code === 'number' ? `${what}, HTTP ${code}` : what };
    throw new PipelineError(failureOf(isRefused ? 'kubernetes_forbidden' : 'kubernetes_failed', { fields }), { cause });
  } finally {
    clearTimeout(timer);
  }
}
