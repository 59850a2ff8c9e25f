export { PodLogs, type PodApi, type PodLogLine, type PodLogQuery, type PodSeen } from './pod-logs';
export { kubernetesApi } from './kubernetes-api';
