export { loadConfig, type Config, type Environment, type NotConfigured, type Optional } from './load-config';
export { ConfigError, SERVICES, type Service, type Variable, type WrongVariable } from './variable';
export { envExample, VARIABLES, type VariableName } from './variables';
export { serviceEnvironment, READERS, readsVariable } from './service-environment';
export type { Keys } from './keys';
export { isMetadataAddress } from './addresses';
export { drainOnFatalError, readProcessSettings, type FatalErrorOptions, type ProcessSettings } from './process';
