export { kubernetesApi, PodLogs } from './pod-logs';
