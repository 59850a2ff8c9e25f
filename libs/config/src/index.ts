export { ConfigError, type WrongVariable } from './config-error';
export { loadConfig, type Config, type Environment, type NotConfigured, type Optional } from './load-config';
export { SERVICES, type Service, type Variable } from './variable';
export { VARIABLES, type VariableName } from './variables';
export { envExample } from './env-example';
export { serviceEnvironment, READERS, readsVariable } from './service-environment';
export type { Keys } from './keys';
export { isMetadataAddress } from './addresses';
export { readProcessSettings, type ProcessSettings } from './process-settings';
