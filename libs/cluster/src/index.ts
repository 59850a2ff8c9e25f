export { kubernetesApi } from './kubernetes-api';
export { PodLogs } from './pod-logs';
