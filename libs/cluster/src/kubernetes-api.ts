import { failureOf, PipelineError } from '@autoposter/domain';
import { withinTime } from '@autoposter/resilience';
import type { PodApi, Pod } from './pod-logs';

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
