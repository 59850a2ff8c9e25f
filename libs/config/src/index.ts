export { loadConfig, type Config, type Environment } from './load-config';
export { ConfigError, SERVICES, type Service, type WrongVariable } from './variable';
export { envExample } from './variables';
export { serviceEnvironment } from './service-environment';
export type { Keys } from './keys';
export { isMetadataAddress } from './addresses';
export { drainOnFatalError, readProcessSettings } from './process';
